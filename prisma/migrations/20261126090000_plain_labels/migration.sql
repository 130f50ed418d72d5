-- oldest build: 0.1.0
-- Labels are compared as searches and operations write them: in lower case, without blanks and / \ ' %.
CREATE OR REPLACE FUNCTION "document_tag_refresh"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        DELETE FROM "document_tag" WHERE "repository" = NEW."repository" AND "document_id" = NEW."id";
    END IF;
    INSERT INTO "document_tag" ("repository", "document_id", "label", "acl_id")
    SELECT DISTINCT NEW."repository", NEW."id", left(plain."label", 255),
        CASE WHEN NOT NEW."is_version" AND NOT NEW."is_trashed" THEN NEW."acl_id" END
    FROM jsonb_path_query(NEW."properties", '$."nxtag:tags"[*]') AS tag
    CROSS JOIN LATERAL (
        SELECT regexp_replace(lower(tag ->> 'label'), '[\u0009-\u000d \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff/\\''%]', '', 'g') AS "label"
    ) plain
    WHERE plain."label" <> '';
    RETURN NULL;
END $$;

CREATE TEMPORARY TABLE "document_tag_before" ON COMMIT DROP AS
SELECT "repository", "document_id", "label", "acl_id" FROM "document_tag"
WHERE "label" ~ '[\u0009-\u000d \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff/\\''%]';

DELETE FROM "document_tag" t USING "document_tag_before" b
WHERE t."repository" = b."repository" AND t."document_id" = b."document_id" AND t."label" = b."label";

INSERT INTO "document_tag" ("repository", "document_id", "label", "acl_id")
SELECT DISTINCT b."repository", b."document_id", plain."label", b."acl_id"
FROM "document_tag_before" b
CROSS JOIN LATERAL (
    SELECT regexp_replace(b."label", '[\u0009-\u000d \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff/\\''%]', '', 'g') AS "label"
) plain
WHERE plain."label" <> ''
ON CONFLICT DO NOTHING;
