-- oldest build: 0.1.0
-- As before, and of the kind "strings" all texts that a list has, each on a line, with the mark where one is long.
CREATE OR REPLACE FUNCTION "search_value"("terms" TEXT[], "name" TEXT, "kind" TEXT) RETURNS TEXT LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    "term" TEXT;
    "start" CONSTANT INT := length("name") + 2;
    "wanted" CONSTANT TEXT := CASE "kind" WHEN 'number' THEN ':' ELSE '=' END;
    "sign" TEXT;
    "all" TEXT;
    "long" TEXT;
BEGIN
    FOREACH "term" IN ARRAY "terms" LOOP
        IF starts_with("term", "name") THEN
            "sign" := substr("term", "start" - 1, 1);
            IF "sign" = "wanted" THEN
                IF "kind" <> 'strings' THEN
                    RETURN substr("term", "start");
                END IF;
                "all" := concat("all", E'\n', substr("term", "start"));
            ELSIF "kind" = 'string' AND "sign" = '^' THEN
                RETURN substr("term", "start") || E'\x01long';
            ELSIF "kind" IN ('string', 'strings') AND "sign" = '#' THEN
                "long" := E'\x01long';
            END IF;
        END IF;
    END LOOP;
    RETURN CASE WHEN "all" IS NULL THEN "long" ELSE concat("all", "long") END;
END $$;
