-- oldest build: 0.1.0
-- What a view of a picture is like. Views that were made before have none, and lack their colour profiles: they are made
-- again.
ALTER TABLE "rendition" ADD COLUMN "facts" JSONB;
DELETE FROM "rendition" WHERE "converter" LIKE 'picture%';

-- The names of views are no words of a document.
CREATE OR REPLACE FUNCTION "words_of"("title" TEXT, "properties" JSONB) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    jsonb_to_tsvector('search_words', to_jsonb(string_to_array(left("folded"(
        "title" || E'\x01' || coalesce((
            SELECT string_agg("value" #>> '{}', E'\x01') FROM jsonb_path_query(
                "properties" - '{common:icon,common:icon-expanded,picture:info,picture:views}'::text[],
                'strict $.** ? (@.type() == "string" && !(@ like_regex "^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{12}Z|[0-9a-f]{64})$"))'
            ) AS "value"
        ), '')
    ), 200000), E'\x01')), '["string"]');

-- Pictures are indexed once more, whereby their views are asked for.
INSERT INTO "search_change" ("repository", "document_id")
SELECT "repository", "id" FROM "document"
WHERE "properties" #>> '{file:content,mimeType}' LIKE 'image/%' OR "properties" ?| '{picture:info,picture:views}';
