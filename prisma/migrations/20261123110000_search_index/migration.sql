-- oldest build: 0.1.0
-- What searches read: a row for each document, written after the transaction that changed the document. It has no
-- foreign key, so that no write of a document waits for it, and `document` keeps no index that searches alone need.

-- CreateTable
CREATE TABLE "search_document" (
    "repository" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "parent_id" UUID,
    "ancestor_ids" UUID[],
    "name" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "facets" TEXT[],
    "title" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "is_version" BOOLEAN NOT NULL,
    "is_proxy" BOOLEAN NOT NULL,
    "is_trashed" BOOLEAN NOT NULL,
    "is_checked_out" BOOLEAN NOT NULL,
    "is_latest_version" BOOLEAN NOT NULL,
    "is_latest_major_version" BOOLEAN NOT NULL,
    "acl_id" UUID NOT NULL,
    "created" TEXT COLLATE "C",
    "modified" TEXT COLLATE "C",
    "terms" TEXT[],
    "words" tsvector NOT NULL,

    CONSTRAINT "search_document_pkey" PRIMARY KEY ("repository","id")
);

-- CreateTable: documents whose rows are to be written anew.
CREATE TABLE "search_change" (
    "id" BIGINT GENERATED ALWAYS AS IDENTITY,
    "repository" TEXT NOT NULL,
    "document_id" UUID NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "search_change_pkey" PRIMARY KEY ("id")
);

-- CreateTable: at most one row, how far a rebuild of the index has come.
CREATE TABLE "search_rebuild" (
    "is_under_way" BOOLEAN NOT NULL DEFAULT true,
    "repository" TEXT NOT NULL,
    "document_id" UUID NOT NULL,

    CONSTRAINT "search_rebuild_pkey" PRIMARY KEY ("is_under_way")
);

-- Terms, by which documents with a value are found: "dc:creator=ada", "uid:major:2", "x:flag?true". Different signs keep
-- texts, numbers and booleans apart. A long value is its SHA-256, since an entry of an index is limited to 2 KB.
CREATE FUNCTION "search_term"("name" TEXT, "kind" TEXT, "value" TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    "name" || CASE "kind"
        WHEN 'number' THEN ':' || trim_scale("value"::numeric)::text
        WHEN 'boolean' THEN '?' || "value"
        ELSE CASE WHEN octet_length("value") <= 200 THEN '=' || "value"
            ELSE '#' || encode(sha256(convert_to("value", 'UTF8')), 'hex') END
    END;

CREATE FUNCTION "search_terms"("name" TEXT, "kind" TEXT, "values" TEXT[]) RETURNS TEXT[] LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    ARRAY(SELECT "search_term"("name", "kind", "v"."value") FROM unnest("values") AS "v" ("value"));

-- The terms of all values in some properties, those in lists and fields of fields too.
CREATE FUNCTION "terms_of"("properties" JSONB) RETURNS TEXT[] LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ARRAY(
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
    )
    SELECT DISTINCT "search_term"("name", "kind", "value" #>> '{}') FROM "node" WHERE "kind" IN ('string', 'number', 'boolean')
);

-- What the rows of search_document are to be.
CREATE VIEW "search_source" AS SELECT
    "repository", "id", "parent_id", "ancestor_ids", "name", "path", "type", "facets", "title", "state", "is_version",
    "is_proxy", "is_trashed", "is_checked_out", "is_latest_version", "is_latest_major_version", "acl_id",
    ("properties" ->> 'dc:created') COLLATE "C" AS "created",
    ("properties" ->> 'dc:modified') COLLATE "C" AS "modified",
    "terms_of"("properties") || ARRAY["search_term"('ecm:name', 'string', "name"), "search_term"('ecm:path', 'string', "path")]
        AS "terms",
    "words_of"("title", "properties") AS "words"
FROM "document";

-- Documents as searches read them: what search_document lacks comes from `document`, which is joined only then, since
-- the join is one by the primary key that keeps every row.
CREATE VIEW "searchable" AS SELECT
    "s".*, "d"."major_version", "d"."minor_version", "d"."system_token", "d"."user_token", "d"."live_id", "d"."target_id",
    "d"."base_version_id", "d"."version_created", "d"."version_comment", "d"."lock_owner", "d"."lock_created",
    "d"."is_record", "d"."retain_until", "d"."has_legal_hold", "d"."position", "d"."properties"
FROM "search_document" AS "s"
LEFT JOIN "document" AS "d" ON "d"."repository" = "s"."repository" AND "d"."id" = "s"."id";

INSERT INTO "search_document" SELECT * FROM "search_source";

-- CreateIndex: new entries wait in a list that every search reads as well; it stays short.
CREATE INDEX "search_document_terms_words_ancestor_ids_idx" ON "search_document" USING GIN ("terms", "words", "ancestor_ids")
    WITH (gin_pending_list_limit = 512);
CREATE INDEX "search_document_repository_parent_id_idx" ON "search_document" ("repository", "parent_id");
-- What counts and the usual order read is all in these two. PostgreSQL takes "id" for needed wherever it has left a join out.
CREATE INDEX "search_document_repository_type_id_acl_id_is_version_idx" ON "search_document" ("repository", "type", "id", "acl_id", "is_version");
CREATE INDEX "search_document_repository_modified_id_type_acl_id_is_versi_idx" ON "search_document" ("repository", "modified" DESC NULLS LAST, "id", "type", "acl_id", "is_version");
CREATE INDEX "search_document_repository_created_id_idx" ON "search_document" ("repository", "created" DESC NULLS LAST, "id");
CREATE INDEX "search_document_repository_title_id_idx" ON "search_document" ("repository", "title", "id");

-- Rare values are found by the index only while the planner knows that they are rare.
ALTER TABLE "search_document" ALTER COLUMN "terms" SET STATISTICS 1000;

-- One row of search_change for each row that a statement changes: no writer of documents can forget it, and deletions
-- by foreign keys are included. It takes as long as a WITH in each statement would.
CREATE FUNCTION "search_change_note"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "search_change" ("repository", "document_id") SELECT "repository", "id" FROM "changed";
    RETURN NULL;
END $$;

CREATE TRIGGER "document_search_insert" AFTER INSERT ON "document" REFERENCING NEW TABLE AS "changed"
    FOR EACH STATEMENT EXECUTE FUNCTION "search_change_note"();
CREATE TRIGGER "document_search_update" AFTER UPDATE ON "document" REFERENCING NEW TABLE AS "changed"
    FOR EACH STATEMENT EXECUTE FUNCTION "search_change_note"();
CREATE TRIGGER "document_search_delete" AFTER DELETE ON "document" REFERENCING OLD TABLE AS "changed"
    FOR EACH STATEMENT EXECUTE FUNCTION "search_change_note"();

DROP TRIGGER "document_words_insert" ON "document";
DROP TRIGGER "document_words_update" ON "document";
DROP FUNCTION "document_words_refresh"();
DROP TABLE "document_words";
