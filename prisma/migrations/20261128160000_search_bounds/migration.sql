-- oldest build: 0.1.0
-- Bounds what the search index does for one document, and lets a document that takes long, or that cannot be indexed,
-- wait in a lane of its own while the others go on. Older builds take changes of both lanes alike.
ALTER TABLE "search_change" ADD COLUMN "is_slow" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex: the changes of the slow lane, which are few.
CREATE INDEX "search_change_slow_idx" ON "search_change" ("id") WHERE "is_slow";

-- The first values in some properties, level by level: those of single properties come before those in lists. PostgreSQL
-- stops to look for values once there are 120,000, and a list is cut before it is expanded. A name that has become very
-- long is not extended: each value below it would repeat it.
CREATE FUNCTION "search_nodes"("properties" JSONB) RETURNS TABLE ("name" TEXT, "kind" TEXT, "value" JSONB)
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    WITH RECURSIVE "node" ("name", "kind", "value") AS (
        SELECT "p"."key", jsonb_typeof("p"."value"), "p"."value" FROM jsonb_each("properties") AS "p"
        UNION ALL
        SELECT "c"."name", jsonb_typeof("c"."value"), "c"."value" FROM "node" AS "n" CROSS JOIN LATERAL (
            SELECT "n"."name" || '/' || "f"."key" AS "name", "f"."value"
            FROM jsonb_each(CASE WHEN "n"."kind" = 'object' THEN "n"."value" ELSE '{}' END) AS "f"
            UNION ALL
            SELECT "n"."name", "i"."value" FROM jsonb_array_elements(CASE
                WHEN "n"."kind" <> 'array' THEN '[]'
                WHEN jsonb_array_length("n"."value") > 120000 THEN jsonb_path_query_array("n"."value", '$[0 to 119999]')
                ELSE "n"."value"
            END) AS "i" ("value")
        ) AS "c"
        WHERE "n"."kind" IN ('object', 'array') AND octet_length("n"."name") <= 1000
    )
    SELECT "name", "kind", "value" FROM "node" LIMIT 120000
$$;

-- As "terms_of", from the first values alone.
CREATE FUNCTION "terms_of_large"("properties" JSONB) RETURNS TEXT[] LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ARRAY(
    WITH "leaf" ("name", "kind", "value") AS (
        SELECT "name", "kind", "value" #>> '{}' FROM "search_nodes"("properties") WHERE "kind" IN ('string', 'number', 'boolean')
    ),
    "term" ("term") AS (
        SELECT "search_term"("name", "kind", "value") FROM "leaf"
        UNION ALL
        SELECT "name" || '^' || left("value", 50) FROM "leaf" WHERE "kind" = 'string' AND octet_length("value") > 200
    )
    SELECT DISTINCT "term" COLLATE "C" FROM "term" ORDER BY "term" COLLATE "C"
);

-- The terms of all values in some properties, as before; of properties that have more than 64 KB as they are in memory,
-- those of the first values.
CREATE OR REPLACE FUNCTION "terms_of"("properties" JSONB) RETURNS TEXT[] LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN CASE
    WHEN pg_column_size("properties" || '{}') > 65536 THEN "terms_of_large"("properties")
    ELSE ARRAY(
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
    )
END;

-- The words of a folded text, or of as much of it as fits into a tsvector, which has one megabyte. It is taken piece by
-- piece, and each piece ends with a blank so that no word is cut. A control character between two texts keeps phrases
-- from running from one into the next.
CREATE FUNCTION "words_that_fit"("content" TEXT) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    "words" tsvector := '';
    "start" INT := 1;
    "size" INT := 100000;
    "piece" TEXT;
    "cut" INT;
BEGIN
    LOOP
        "piece" := substr("content", "start", "size");
        IF "piece" = '' THEN
            RETURN "words";
        END IF;
        IF length("piece") = "size" THEN
            "cut" := strpos(reverse(right("piece", 1000)), ' ');
            IF "cut" > 0 THEN
                "piece" := left("piece", "size" - "cut" + 1);
            END IF;
        END IF;
        BEGIN
            "words" := "words" || jsonb_to_tsvector('search_words', to_jsonb(string_to_array("piece", E'\x01')), '["string"]');
            "start" := "start" + length("piece");
        EXCEPTION WHEN program_limit_exceeded THEN
            IF "size" < 2500 THEN
                RETURN "words";
            END IF;
            "size" := "size" / 2;
        END;
    END LOOP;
END $$;

-- The words of a title and of the strings in some properties, as before. Those of properties that have more than 64 KB are
-- taken from the first million characters of the first values, as far as they fit.
CREATE OR REPLACE FUNCTION "words_of"("title" TEXT, "properties" JSONB) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    "content" TEXT;
    "indexed" CONSTANT JSONB := "properties" - '{common:icon,common:icon-expanded,picture:info,picture:views}'::text[];
    "is_large" CONSTANT BOOLEAN := pg_column_size("indexed") > 65536;
BEGIN
    IF "is_large" THEN
        SELECT string_agg("s"."value", E'\x01') INTO "content" FROM (
            SELECT left("n"."value" #>> '{}', 1000000) AS "value" FROM "search_nodes"("indexed") AS "n" WHERE "n"."kind" = 'string'
        ) AS "s"
        WHERE CASE length("s"."value")
            WHEN 24 THEN translate("s"."value", '0123456789', '0000000000') <> '0000-00-00T00:00:00.000Z'
            WHEN 64 THEN translate("s"."value", '0123456789abcdef', '') <> ''
            ELSE true
        END;
        RETURN "words_that_fit"("folded"(left(concat("title", E'\x01', "content"), 1000000)));
    END IF;
    SELECT string_agg("s"."value", E'\x01') INTO "content" FROM (
        SELECT "p"."value" #>> '{}' AS "value" FROM jsonb_path_query("indexed", 'strict $.** ? (@.type() == "string")') AS "p" ("value")
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

-- The words of a text, or of as much of its first million characters as fits.
CREATE OR REPLACE FUNCTION "words_of_text"("content" TEXT) RETURNS tsvector LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN "words_that_fit"("folded"(left("content", 1000000)));
END $$;

-- The words of a document with those of its files. Of the file whose words do not fit it has as many as do, without their
-- places in the text, and nothing of the files after it.
CREATE OR REPLACE FUNCTION "with_file_words"("words" tsvector, "in_repository" TEXT, "document" UUID) RETURNS tsvector LANGUAGE plpgsql STABLE AS $$
DECLARE
    "file" tsvector;
    "lexemes" TEXT[];
    "count" INT;
BEGIN
    FOR "file" IN
        SELECT "f"."words" FROM "document_blob" AS "b" JOIN "file_words" AS "f" ON "f"."digest" = "b"."digest"
        WHERE "b"."repository" = "in_repository" AND "b"."document_id" = "document"
        ORDER BY "b"."xpath" LIMIT 100
    LOOP
        BEGIN
            "words" := "words" || "file";
        EXCEPTION WHEN program_limit_exceeded THEN
            "lexemes" := tsvector_to_array("file");
            "count" := cardinality("lexemes");
            WHILE "count" > 100 LOOP
                BEGIN
                    RETURN "words" || array_to_tsvector("lexemes"[1:"count"]);
                EXCEPTION WHEN program_limit_exceeded THEN
                    "count" := "count" * 3 / 4;
                END;
            END LOOP;
            RETURN "words";
        END;
    END LOOP;
    RETURN "words";
END $$;

-- What the index is to cost for a document is estimated from these bytes, without expanding its values: those of its
-- properties in memory, and of the words of its files. Properties that are large as they are stored are not read, since
-- they are large in memory too.
CREATE FUNCTION "search_weight"("in_repository" TEXT, "document" UUID, "properties" JSONB) RETURNS BIGINT LANGUAGE sql STABLE PARALLEL SAFE RETURN
    coalesce(CASE WHEN pg_column_size("properties") > 16384 THEN 8 * pg_column_size("properties")::bigint
        ELSE pg_column_size("properties" || '{}') END, 0) + coalesce((
        SELECT sum(pg_column_size("f"."words")) FROM (
            SELECT "b"."digest" FROM "document_blob" AS "b"
            WHERE "b"."repository" = "in_repository" AND "b"."document_id" = "document" LIMIT 100
        ) AS "b" JOIN "file_words" AS "f" ON "f"."digest" = "b"."digest"
    ), 0)::bigint;

-- Documents with large properties have other words and terms from now on.
INSERT INTO "search_change" ("repository", "document_id")
SELECT "repository", "id" FROM "document"
WHERE pg_column_size("properties") > 600 AND pg_column_size("properties" || '{}') > 65536;
