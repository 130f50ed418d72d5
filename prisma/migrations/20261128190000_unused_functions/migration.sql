-- oldest build: 0.2.0
-- Nothing calls these functions any more.
DROP FUNCTION "search_terms"(TEXT, TEXT, TEXT[]);
DROP FUNCTION "search_rebuild_note"();
