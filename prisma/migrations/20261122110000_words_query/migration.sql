-- oldest build: 0.1.0
-- The tsquery of a full text: lists of terms, of which a document matches one. As one function of one parameter, since
-- PostgreSQL would take a second and more to plan the same as an expression of a hundred terms. A list without a
-- required word finds nothing, whatever it excludes.
CREATE FUNCTION "words_query"("lists" JSONB) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    coalesce((
        SELECT string_agg('(' || "list"."words" || ')', ' | ')
        FROM jsonb_array_elements("lists") AS "l" ("terms")
        CROSS JOIN LATERAL (
            SELECT string_agg(CASE WHEN "term"."excluded" THEN '!(' ELSE '(' END || "term"."words" || ')', ' & ') AS "words",
                bool_or(NOT "term"."excluded") AS "finds"
            FROM (
                SELECT ("t"."term" -> 'isExcluded')::boolean AS "excluded",
                    nullif(phraseto_tsquery('pg_catalog.simple', "folded"("t"."term" ->> 'text'))::text, '')
                        || CASE WHEN ("t"."term" -> 'isPrefix')::boolean THEN ':*' ELSE '' END AS "words"
                FROM jsonb_array_elements("l"."terms") AS "t" ("term")
            ) AS "term"
            WHERE "term"."words" IS NOT NULL
        ) AS "list"
        WHERE "list"."finds"
    ), '')::tsquery;
