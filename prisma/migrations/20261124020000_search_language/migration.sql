-- oldest build: 0.1.0
-- The words of documents and those of queries are made by one configuration, which the server changes when it is set to
-- another language (SEARCH_LANGUAGE). It begins as the one that was used before.
CREATE TEXT SEARCH CONFIGURATION "search_words" (COPY = pg_catalog.simple);

CREATE OR REPLACE FUNCTION "words_of"("title" TEXT, "properties" JSONB) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    jsonb_to_tsvector('search_words', to_jsonb(string_to_array(left("folded"(
        "title" || E'\x01' || coalesce((
            SELECT string_agg("value" #>> '{}', E'\x01') FROM jsonb_path_query(
                "properties" - '{common:icon,common:icon-expanded}'::text[],
                'strict $.** ? (@.type() == "string" && !(@ like_regex "^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{12}Z|[0-9a-f]{64})$"))'
            ) AS "value"
        ), '')
    ), 200000), E'\x01')), '["string"]');

CREATE OR REPLACE FUNCTION "words_query"("lists" JSONB) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    coalesce((
        SELECT string_agg('(' || "list"."words" || ')', ' | ')
        FROM jsonb_array_elements("lists") AS "l" ("terms")
        CROSS JOIN LATERAL (
            SELECT string_agg(CASE WHEN "term"."excluded" THEN '!(' ELSE '(' END || "term"."words" || ')', ' & ') AS "words",
                bool_or(NOT "term"."excluded") AS "finds"
            FROM (
                SELECT ("t"."term" -> 'isExcluded')::boolean AS "excluded",
                    nullif(phraseto_tsquery('search_words', "folded"("t"."term" ->> 'text'))::text, '')
                        || CASE WHEN ("t"."term" -> 'isPrefix')::boolean THEN ':*' ELSE '' END AS "words"
                FROM jsonb_array_elements("l"."terms") AS "t" ("term")
            ) AS "term"
            WHERE "term"."words" IS NOT NULL
        ) AS "list"
        WHERE "list"."finds"
    ), '')::tsquery;
