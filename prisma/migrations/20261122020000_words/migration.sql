-- The words of documents, by which they are found. They are in a table of their own so that a row of `document` stays
-- what it is: whatever is read is no longer, and what changes neither title nor properties (a move, an ACL, a version)
-- has no words to write.

-- CreateTable
CREATE TABLE "document_words" (
    "repository" TEXT NOT NULL,
    "document_id" UUID NOT NULL,
    "words" tsvector NOT NULL,

    CONSTRAINT "document_words_pkey" PRIMARY KEY ("repository","document_id")
);

-- CreateIndex: new words wait in a list that every search reads as well; it stays short.
CREATE INDEX "document_words_words_idx" ON "document_words" USING GIN ("words") WITH (gin_pending_list_limit = 512);

-- AddForeignKey
ALTER TABLE "document_words" ADD CONSTRAINT "document_words_repository_document_id_fkey" FOREIGN KEY ("repository", "document_id") REFERENCES "document"("repository", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Text as words are taken from it: in lower case, without accents, punctuation as blanks, so that "report" is found in
-- "Annual-report_2024.pdf". A closing tag would be none without its slash.
CREATE FUNCTION "folded"("text" TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    translate(
        CASE WHEN octet_length("text") = length("text") THEN lower(replace("text", '</', '<x'))
        ELSE regexp_replace(normalize(lower(replace("text", '</', '<x')), NFD), '[\u0300-\u036f]', '', 'g') END,
        '._/\@:-''’', '         '
    );

-- The words of a title and of every string in some properties, save moments and digests. Of very long ones it is the
-- first 200,000 characters: what a tsvector holds. Control characters keep phrases from running from one into the next.
CREATE FUNCTION "words_of"("title" TEXT, "properties" JSONB) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    jsonb_to_tsvector('pg_catalog.simple', to_jsonb(string_to_array(left("folded"(
        "title" || E'\x01' || coalesce((
            SELECT string_agg("value" #>> '{}', E'\x01') FROM jsonb_path_query("properties",
                'strict $.** ? (@.type() == "string" && !(@ like_regex "^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{12}Z|[0-9a-f]{64})$"))'
            ) AS "value"
        ), '')
    ), 200000), E'\x01')), '["string"]');

CREATE FUNCTION "document_words_refresh"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "document_words" VALUES (NEW."repository", NEW."id", "words_of"(NEW."title", NEW."properties"))
    ON CONFLICT ("repository", "document_id") DO UPDATE SET "words" = EXCLUDED."words"
    WHERE "document_words"."words" <> EXCLUDED."words";
    RETURN NULL;
END $$;

CREATE TRIGGER "document_words_insert" AFTER INSERT ON "document" FOR EACH ROW
    EXECUTE FUNCTION "document_words_refresh"();
CREATE TRIGGER "document_words_update" AFTER UPDATE OF "title", "properties" ON "document" FOR EACH ROW
    WHEN (OLD."title" <> NEW."title" OR OLD."properties" <> NEW."properties")
    EXECUTE FUNCTION "document_words_refresh"();

INSERT INTO "document_words" SELECT "repository", "id", "words_of"("title", "properties") FROM "document";
