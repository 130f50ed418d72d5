-- oldest build: 0.1.0
-- Documents are found by the hashes of their terms: the index of these is half as large as one of the terms, and is
-- written three times as fast. The terms remain, for the indexes of single values, but for those that have a column.
-- Older builds go on: what they write is hashed as well, and the view has all terms for them. But they compare these
-- document by document, so they had better not serve for long.
SELECT pg_advisory_xact_lock(hashtextextended(current_schema(), 4));
SET LOCAL maintenance_work_mem = '256MB';

-- The hashes of the terms of a document.
CREATE FUNCTION "keys_of"("terms" TEXT[]) RETURNS BIGINT[] LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    ARRAY(SELECT hashtextextended("t"."term", 0) FROM unnest("terms") AS "t" ("term"));

-- Those of a list of values.
CREATE FUNCTION "search_keys"("name" TEXT, "kind" TEXT, "values" TEXT[]) RETURNS BIGINT[] LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    ARRAY(SELECT hashtextextended("search_term"("name", "kind", "v"."value"), 0) FROM unnest("values") AS "v" ("value"));

-- The digest of a long value. It is a function of its own, since convert_to is none that PostgreSQL makes part of another:
-- it would call search_term for each term, which takes longer than all the rest.
CREATE FUNCTION "search_digest"("value" TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    encode(sha256(convert_to("value", 'UTF8')), 'hex');

CREATE OR REPLACE FUNCTION "search_term"("name" TEXT, "kind" TEXT, "value" TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    "name" || CASE "kind"
        WHEN 'number' THEN ':' || trim_scale("value"::numeric)::text
        WHEN 'boolean' THEN '?' || "value"
        ELSE CASE WHEN octet_length("value") <= 200 THEN '=' || "value" ELSE '#' || "search_digest"("value") END
    END;

-- The terms of all values in some properties, as before, now in order.
CREATE OR REPLACE FUNCTION "terms_of"("properties" JSONB) RETURNS TEXT[] LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ARRAY(
    WITH RECURSIVE "node" ("name", "kind", "value") AS (
        SELECT "p"."key", jsonb_typeof("p"."value"), "p"."value" FROM jsonb_each("properties") AS "p"
        UNION ALL
        SELECT "c"."name", jsonb_typeof("c"."value"), "c"."value" FROM "node" AS "n" CROSS JOIN LATERAL (
            SELECT "n"."name" || '/' || "f"."key" AS "name", "f"."value"
            FROM jsonb_each(CASE WHEN "n"."kind" = 'object' THEN "n"."value" ELSE '{}' END) AS "f"
            UNION ALL
            SELECT "n"."name", "i"."value"
            FROM jsonb_array_elements(CASE WHEN "n"."kind" = 'array' THEN "n"."value" ELSE '[]' END) AS "i" ("value")
        ) AS "c"
        WHERE "n"."kind" IN ('object', 'array')
    ),
    "leaf" ("name", "kind", "value") AS (
        SELECT "name", "kind", "value" #>> '{}' FROM "node" WHERE "kind" IN ('string', 'number', 'boolean')
    ),
    "term" ("term") AS (
        SELECT "search_term"("name", "kind", "value") FROM "leaf"
        UNION ALL
        SELECT "name" || '^' || left("value", 50) FROM "leaf" WHERE "kind" = 'string' AND octet_length("value") > 200
    )
    SELECT DISTINCT "term" COLLATE "C" FROM "term" ORDER BY "term" COLLATE "C"
);

-- The words of a title and of the strings in some properties, as before: without dates, digests, icons and views of pictures.
CREATE OR REPLACE FUNCTION "words_of"("title" TEXT, "properties" JSONB) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    "content" TEXT;
BEGIN
    SELECT string_agg("s"."value", E'\x01') INTO "content" FROM (
        SELECT "p"."value" #>> '{}' AS "value" FROM jsonb_path_query(
            "words_of"."properties" - '{common:icon,common:icon-expanded,picture:info,picture:views}'::text[],
            'strict $.** ? (@.type() == "string")'
        ) AS "p" ("value")
    ) AS "s"
    WHERE CASE length("s"."value")
        WHEN 24 THEN translate("s"."value", '0123456789', '0000000000') <> '0000-00-00T00:00:00.000Z'
        WHEN 64 THEN translate("s"."value", '0123456789abcdef', '') <> ''
        ELSE true
    END;
    "content" := concat("title", E'\x01', "content");
    "content" := left("folded"("content"), 200000);
    RETURN jsonb_to_tsvector('search_words', to_jsonb(string_to_array("content", E'\x01')), '["string"]');
END $$;

-- The rows are laid anew beside those that searches read meanwhile. A row of more than 2 KB keeps no more than 1 KB where
-- searches read it; the rest, most often terms and words, is apart.
CREATE TABLE "search_document_next" (LIKE "search_document" INCLUDING DEFAULTS);
ALTER TABLE "search_document_next"
    ADD COLUMN "keys" BIGINT[] GENERATED ALWAYS AS ("keys_of"("terms")) STORED,
    ALTER COLUMN "keys" SET STORAGE MAIN,
    ALTER COLUMN "keys" SET STATISTICS 1000,
    ALTER COLUMN "ancestor_ids" SET STORAGE MAIN,
    ALTER COLUMN "terms" SET STATISTICS 0,
    SET (toast_tuple_target = 1024);
INSERT INTO "search_document_next"
SELECT "s"."repository", "s"."id", "s"."parent_id", "s"."ancestor_ids", "s"."name", "s"."path", "s"."type", "s"."facets",
    "s"."title", "s"."state", "s"."is_version", "s"."is_proxy", "s"."is_trashed", "s"."is_checked_out",
    "s"."is_latest_version", "s"."is_latest_major_version", "s"."acl_id", "s"."created", "s"."modified",
    "terms_of"("d"."properties" - '{dc:created,dc:modified}'::text[]), "s"."words"
FROM "search_document" AS "s" JOIN "document" AS "d" ON "d"."repository" = "s"."repository" AND "d"."id" = "s"."id";

DROP VIEW "searchable";
DROP TABLE "search_document";
ALTER TABLE "search_document_next" RENAME TO "search_document";
ALTER TABLE "search_document" ADD CONSTRAINT "search_document_pkey" PRIMARY KEY ("repository", "id");
CREATE INDEX "search_document_keys_words_ancestor_ids_idx" ON "search_document" USING GIN ("keys", "words", "ancestor_ids")
    WITH (gin_pending_list_limit = 512);
CREATE INDEX "search_document_repository_parent_id_idx" ON "search_document" ("repository", "parent_id");
CREATE INDEX "search_document_repository_type_id_acl_id_is_version_idx" ON "search_document" ("repository", "type", "id", "acl_id", "is_version");
CREATE INDEX "search_document_repository_modified_id_type_acl_id_is_versi_idx" ON "search_document" ("repository", "modified" DESC NULLS LAST, "id", "type", "acl_id", "is_version");
CREATE INDEX "search_document_repository_created_id_idx" ON "search_document" ("repository", "created" DESC NULLS LAST, "id");
CREATE INDEX "search_document_repository_title_id_idx" ON "search_document" ("repository", "title", "id");
CREATE INDEX "search_document_title_beginning_idx" ON "search_document" ("repository", "title" text_pattern_ops)
    WHERE "title" <> '';
CREATE INDEX "search_document_repository_name_id_idx" ON "search_document" ("repository", "name", "id");
ANALYZE "search_document";

-- What the rows of search_document are to be, as before but for the terms.
CREATE OR REPLACE VIEW "search_source" AS SELECT
    "repository", "id", "parent_id", "ancestor_ids", "name", "path", "type", "facets", "title", "state", "is_version",
    "is_proxy", "is_trashed", "is_checked_out", "is_latest_version", "is_latest_major_version", "acl_id",
    ("properties" ->> 'dc:created') COLLATE "C" AS "created",
    ("properties" ->> 'dc:modified') COLLATE "C" AS "modified",
    "terms_of"("properties" - '{dc:created,dc:modified}'::text[]) AS "terms",
    CASE WHEN EXISTS (SELECT FROM "document_blob" AS "b" WHERE "b"."repository" = "d"."repository" AND "b"."document_id" = "d"."id")
        THEN "with_file_words"("words_of"("title", "properties"), "repository", "id")
        ELSE "words_of"("title", "properties") END AS "words",
    "keys_of"("terms_of"("properties" - '{dc:created,dc:modified}'::text[])) AS "keys"
FROM "document" AS "d";

-- As before, with the keys and the terms that are kept; "terms", which older builds read, has the others too.
CREATE VIEW "searchable" AS SELECT
    "s"."repository", "s"."id", "s"."parent_id", "s"."ancestor_ids", "s"."name", "s"."path", "s"."type", "s"."facets",
    "s"."title", "s"."state", "s"."is_version", "s"."is_proxy", "s"."is_trashed", "s"."is_checked_out",
    "s"."is_latest_version", "s"."is_latest_major_version", "s"."acl_id", "s"."created", "s"."modified",
    "s"."terms" || ARRAY["search_term"('ecm:name', 'string', "s"."name"), "search_term"('ecm:path', 'string', "s"."path"),
        "search_term"('dc:created', 'string', "s"."created"), "search_term"('dc:modified', 'string', "s"."modified")] AS "terms",
    "s"."words", "s"."keys", "s"."terms" AS "kept", "d"."major_version", "d"."minor_version", "d"."system_token",
    "d"."user_token", "d"."live_id", "d"."target_id", "d"."base_version_id", "d"."version_created", "d"."version_comment",
    "d"."lock_owner", "d"."lock_created", "d"."is_record", "d"."retain_until", "d"."has_legal_hold", "d"."position",
    "d"."properties"
FROM "search_document" AS "s"
LEFT JOIN "document" AS "d" ON "d"."repository" = "s"."repository" AND "d"."id" = "s"."id";

-- CreateTable: documents whose rows have changed while an index is built beside that which is read.
CREATE TABLE "search_rebuild_change" (
    "repository" TEXT NOT NULL,
    "document_id" UUID NOT NULL,

    CONSTRAINT "search_rebuild_change_pkey" PRIMARY KEY ("repository", "document_id")
);

-- Triggers on search_document call it during a build.
CREATE FUNCTION "search_rebuild_note"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "search_rebuild_change" ("repository", "document_id")
    SELECT "repository", "id" FROM "changed" ORDER BY 1, 2 ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
