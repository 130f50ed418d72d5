-- oldest build: 0.1.0
-- The terms of all values in some properties, as before. A text of more than 200 bytes has a second one with how it
-- begins, "dc:title^Once upon a", by which documents can be sorted.
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
    )
    SELECT "search_term"("name", "kind", "value") FROM "leaf"
    UNION
    SELECT "name" || '^' || left("value", 50) FROM "leaf" WHERE "kind" = 'string' AND octet_length("value") > 200
);

-- The one value that the terms have of a property: indexes are of it. Of a text of more than 200 bytes it is how the
-- text begins, and a mark.
CREATE FUNCTION "search_value"("terms" TEXT[], "name" TEXT, "kind" TEXT) RETURNS TEXT LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    "term" TEXT;
    "start" CONSTANT INT := length("name") + 2;
    "wanted" CONSTANT TEXT := CASE "kind" WHEN 'number' THEN ':' ELSE '=' END;
    "sign" TEXT;
    "long" TEXT;
BEGIN
    FOREACH "term" IN ARRAY "terms" LOOP
        IF starts_with("term", "name") THEN
            "sign" := substr("term", "start" - 1, 1);
            IF "sign" = "wanted" THEN
                RETURN substr("term", "start");
            ELSIF "kind" = 'string' AND "sign" = '^' THEN
                RETURN substr("term", "start") || E'\x01long';
            ELSIF "kind" = 'string' AND "sign" = '#' THEN
                "long" := E'\x01long';
            END IF;
        END IF;
    END LOOP;
    RETURN "long";
END $$;

-- Documents with a long text get their second terms.
INSERT INTO "search_change" ("repository", "document_id")
SELECT "repository", "id" FROM "search_document" WHERE array_to_string("terms", E'\x01') ~ '#[0-9a-f]{64}(\x01|$)';
