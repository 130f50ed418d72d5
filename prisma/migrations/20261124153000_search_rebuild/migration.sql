-- oldest build: 0.1.0
-- What changes while a search index is built beside that which is read is noted where its change is taken, whether the
-- row in "search_document" changes or not: a document that was laid, and is deleted before it was indexed, had none.
-- Older builds go on: they note the rows of "search_document" too, by "search_rebuild_note".
CREATE FUNCTION "search_change_taken"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM "search_rebuild") THEN
        INSERT INTO "search_rebuild_change" ("repository", "document_id")
        SELECT DISTINCT "repository", "document_id" FROM "taken" ORDER BY 1, 2 ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER "search_change_taken" AFTER DELETE ON "search_change" REFERENCING OLD TABLE AS "taken"
    FOR EACH STATEMENT EXECUTE FUNCTION "search_change_taken"();
