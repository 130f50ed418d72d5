-- oldest build: 0.1.0
-- Every document has an icon: its address is none of the words that a search finds.
CREATE OR REPLACE FUNCTION "words_of"("title" TEXT, "properties" JSONB) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    jsonb_to_tsvector('pg_catalog.simple', to_jsonb(string_to_array(left("folded"(
        "title" || E'\x01' || coalesce((
            SELECT string_agg("value" #>> '{}', E'\x01') FROM jsonb_path_query(
                "properties" - '{common:icon,common:icon-expanded}'::text[],
                'strict $.** ? (@.type() == "string" && !(@ like_regex "^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{12}Z|[0-9a-f]{64})$"))'
            ) AS "value"
        ), '')
    ), 200000), E'\x01')), '["string"]');

UPDATE "document_words" w SET "words" = "words_of"(d."title", d."properties") FROM "document" d
WHERE d."repository" = w."repository" AND d."id" = w."document_id" AND d."properties" ? 'common:icon';
