-- oldest build: 0.1.0
-- Comments on a version may be read where the version may, by ReadVersion; they had its effective ACL, of which Read
-- decided. Theirs has Read in place of ReadVersion, after a denial of ReadSecurity, which Read contains, as
-- src/security/acl.ts computes it, with the same ids.
DO $$
DECLARE
    place RECORD;
BEGIN
    -- A comment copies the effective ACL of its folder: it waits, and reads go on.
    LOCK TABLE "document" IN EXCLUSIVE MODE;

    FOR place IN
        WITH root AS MATERIALIZED (
            SELECT d."repository", d."id", d."acl_id" FROM "document" d
            JOIN "document" v ON v."repository" = d."repository" AND v."id" = d."parent_id" AND v."is_version"
        ), listed AS MATERIALIZED (
            SELECT e."repository", e."id", ARRAY[ace."at", changed."at"] AS "at", ace."value" || changed."value" AS "value"
            FROM "effective_acl" e CROSS JOIN jsonb_array_elements(e."entries") WITH ORDINALITY AS ace ("value", "at")
            CROSS JOIN LATERAL jsonb_array_elements(CASE
                WHEN ace."value" ->> 'permission' NOT IN ('ReadVersion', 'Version') THEN '[{}]'::jsonb
                WHEN (ace."value" -> 'granted')::boolean
                THEN '[{"permission": "ReadSecurity", "granted": false}, {"permission": "Read"}]'
                ELSE '[{"permission": "Read"}]'
            END) WITH ORDINALITY AS changed ("value", "at")
            WHERE (e."repository", e."id") IN (SELECT "repository", "acl_id" FROM root)
                AND e."entries" @? '$[*] ? (@.permission == "ReadVersion" || @.permission == "Version")'
        ), made AS (
            SELECT "repository", "id" AS "before", jsonb_agg("value" ORDER BY "at") AS "entries",
                substr(encode(sha256(convert_to('[' || string_agg((
                    SELECT '[' || string_agg(coalesce("value" -> field."name", 'null')::text, ',' ORDER BY field."at") || ']'
                    FROM unnest(
                        ARRAY['username', 'permission', 'granted', 'creator', 'begin', 'end', 'notify', 'comment']
                    ) WITH ORDINALITY AS field ("name", "at")
                ), ',' ORDER BY "at") || ']', 'UTF8')), 'hex'), 1, 32)::uuid AS "after"
            FROM listed GROUP BY "repository", "id"
        )
        SELECT root."repository", root."id", made."before", made."after", made."entries" FROM root
        JOIN made ON made."repository" = root."repository" AND made."before" = root."acl_id"
    LOOP
        INSERT INTO "effective_acl" ("repository", "id", "entries")
        VALUES (place."repository", place."after", place."entries")
        ON CONFLICT ("repository", "id") DO UPDATE SET "used_at" = now();
        UPDATE "document" d SET "acl_id" = place."after"
        WHERE d."repository" = place."repository" AND d."acl_id" = place."before"
            AND (d."id" = place."id" OR d."ancestor_ids" @> ARRAY[place."id"]);
    END LOOP;
END $$;
