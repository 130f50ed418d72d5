-- oldest build: 0.1.0
-- Copies used to keep the ACLs of tasks, which nothing removed from them: the copies are in no workflow. Those of tasks
-- that are not open, or not about the document, are removed, and the effective ACLs below are computed as
-- src/store/acls does, with the same ids.
DO $$
DECLARE
    place RECORD;
    listed JSONB;
    listed_id UUID;
BEGIN
    -- A create copies the effective ACL of its parent, and tasks end: both wait, and reads go on.
    LOCK TABLE "document" IN EXCLUSIVE MODE;

    CREATE TEMPORARY TABLE "cleaned" ON COMMIT DROP AS
    SELECT a."repository", a."document_id" AS "id", a."acls" AS "before", (
        SELECT coalesce(jsonb_agg(own."acl" ORDER BY own."at"), '[]')
        FROM jsonb_array_elements(a."acls") WITH ORDINALITY AS own ("acl", "at")
        WHERE NOT own."acl" ->> 'name' ~ '^(routing|delegation)/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' OR EXISTS (
            SELECT FROM "workflow_document" w
            JOIN "task" t ON t."repository" = w."repository" AND t."workflow_id" = w."workflow_id"
            WHERE w."repository" = a."repository" AND w."document_id" = a."document_id" AND t."state" = 'opened'
                AND t."id"::text = split_part(own."acl" ->> 'name', '/', 2)
        )
    ) AS "acls"
    FROM "document_acl" a
    WHERE a."acls" @? '$[*] ? (@.name like_regex "^(routing|delegation)/")';
    DELETE FROM "cleaned" WHERE "acls" = "before";
    ALTER TABLE "cleaned" ADD PRIMARY KEY ("repository", "id");

    UPDATE "document_acl" a SET "acls" = c."acls" FROM "cleaned" c
    WHERE a."repository" = c."repository" AND a."document_id" = c."id";
    DELETE FROM "document_acl" a USING "cleaned" c
    WHERE a."repository" = c."repository" AND a."document_id" = c."id" AND c."acls" = '[]';

    -- From the top down: what a document inherits is computed before.
    FOR place IN
        SELECT d."repository", d."id", coalesce(d."parent_id", d."live_id") AS "above", coalesce(a."acls", '[]') AS "acls"
        FROM (
            SELECT "repository", "document_id" FROM "document_acl" UNION SELECT "repository", "id" FROM "cleaned"
        ) AS holder
        JOIN "document" d ON d."repository" = holder."repository" AND d."id" = holder."document_id"
        LEFT JOIN "document_acl" a ON a."repository" = d."repository" AND a."document_id" = d."id"
        WHERE EXISTS (
            SELECT FROM unnest(d."ancestor_ids" || d."id") AS way ("id")
            JOIN "cleaned" c ON c."repository" = d."repository" AND c."id" = way."id"
        )
        ORDER BY cardinality(d."ancestor_ids")
    LOOP
        WITH every AS MATERIALIZED (
            SELECT ace."value", ace."at" FROM jsonb_array_elements(
                jsonb_path_query_array(place."acls", '$[*].aces[*]') || coalesce((
                    SELECT e."entries" FROM "document" p
                    JOIN "effective_acl" e ON e."repository" = p."repository" AND e."id" = p."acl_id"
                    WHERE p."repository" = place."repository" AND p."id" = place."above"
                ), '[]')
            ) WITH ORDINALITY AS ace ("value", "at")
        ), effective AS (
            SELECT "value", "at" FROM every WHERE "at" <= coalesce((
                SELECT min("at") FROM every
                WHERE "value" @> '{"username": "Everyone", "permission": "Everything", "granted": false}'
                    AND "value" @> '{"begin": null, "end": null}'
            ), "at")
        )
        SELECT coalesce(jsonb_agg("value" ORDER BY "at"), '[]'), substr(encode(sha256(convert_to('[' || coalesce(string_agg((
            SELECT '[' || string_agg(coalesce("value" -> field."name", 'null')::text, ',' ORDER BY field."at") || ']'
            FROM unnest(
                ARRAY['username', 'permission', 'granted', 'creator', 'begin', 'end', 'notify', 'comment']
            ) WITH ORDINALITY AS field ("name", "at")
        ), ',' ORDER BY "at"), '') || ']', 'UTF8')), 'hex'), 1, 32)::uuid
        INTO listed, listed_id FROM effective;

        INSERT INTO "effective_acl" ("repository", "id", "entries") VALUES (place."repository", listed_id, listed)
        ON CONFLICT ("repository", "id") DO UPDATE SET "used_at" = now();
        -- The documents that have the ACL of this one, not those below that have ACLs of their own.
        UPDATE "document" d SET "acl_id" = listed_id FROM "document" top
        WHERE top."repository" = place."repository" AND top."id" = place."id" AND top."acl_id" <> listed_id
            AND d."repository" = top."repository" AND (d."id" = top."id" OR d."ancestor_ids" @> ARRAY[top."id"])
            AND d."acl_id" = top."acl_id";
    END LOOP;
END $$;
