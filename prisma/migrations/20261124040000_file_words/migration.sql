-- oldest build: 0.1.0
-- CreateTable: the words in the files of documents, once for equal bytes. A file that has none, or none that can be
-- read, has a row without words.
CREATE TABLE "file_words" (
    "digest" TEXT NOT NULL,
    "words" tsvector NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "file_words_pkey" PRIMARY KEY ("digest")
);

-- CreateIndex
CREATE INDEX "file_words_created_at_idx" ON "file_words"("created_at");

-- The words of a text, or of as much of it as fits: a tsvector has one megabyte.
CREATE FUNCTION "words_of_text"("content" TEXT) RETURNS tsvector LANGUAGE plpgsql STABLE AS $$
DECLARE
    "length" INT := 1000000;
BEGIN
    LOOP
        BEGIN
            RETURN to_tsvector('search_words', "folded"(left("content", "length")));
        EXCEPTION WHEN program_limit_exceeded THEN
            "length" := "length" / 2;
        END;
    END LOOP;
END $$;

-- The words of a document with those of its files, as far as they fit.
CREATE FUNCTION "with_file_words"("words" tsvector, "in_repository" TEXT, "document" UUID) RETURNS tsvector LANGUAGE plpgsql STABLE AS $$
DECLARE
    "file" tsvector;
BEGIN
    FOR "file" IN
        SELECT "f"."words" FROM "document_blob" AS "b" JOIN "file_words" AS "f" ON "f"."digest" = "b"."digest"
        WHERE "b"."repository" = "in_repository" AND "b"."document_id" = "document"
        ORDER BY "b"."xpath" LIMIT 100
    LOOP
        BEGIN
            "words" := "words" || "file";
        EXCEPTION WHEN program_limit_exceeded THEN
            RETURN "words";
        END;
    END LOOP;
    RETURN "words";
END $$;

CREATE OR REPLACE VIEW "search_source" AS SELECT
    "repository", "id", "parent_id", "ancestor_ids", "name", "path", "type", "facets", "title", "state", "is_version",
    "is_proxy", "is_trashed", "is_checked_out", "is_latest_version", "is_latest_major_version", "acl_id",
    ("properties" ->> 'dc:created') COLLATE "C" AS "created",
    ("properties" ->> 'dc:modified') COLLATE "C" AS "modified",
    "terms_of"("properties") || ARRAY["search_term"('ecm:name', 'string', "name"), "search_term"('ecm:path', 'string', "path")]
        AS "terms",
    CASE WHEN EXISTS (SELECT FROM "document_blob" AS "b" WHERE "b"."repository" = "d"."repository" AND "b"."document_id" = "d"."id")
        THEN "with_file_words"("words_of"("title", "properties"), "repository", "id")
        ELSE "words_of"("title", "properties") END AS "words"
FROM "document" AS "d";

-- Documents with files are indexed once more, whereby the words of their files are asked for.
INSERT INTO "search_change" ("repository", "document_id") SELECT DISTINCT "repository", "document_id" FROM "document_blob";
