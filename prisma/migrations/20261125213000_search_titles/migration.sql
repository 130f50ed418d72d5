-- oldest build: 0.1.0
-- Finds how titles begin, as before, now without reading a row of search_document, however many they are: the index has what
-- a search by the beginning of titles compares, sorts by and counts, and only titles that are a property, no names. Made
-- before the old one is dropped: searches wait for the end alone.
SET LOCAL maintenance_work_mem = '256MB';
CREATE INDEX "search_document_title_beginning_next_idx" ON "search_document" ("repository", "title" text_pattern_ops)
    INCLUDE ("modified", "id", "type", "acl_id", "is_version")
    WHERE "title" <> '' AND "search_value"("terms", 'dc:title', 'string') IS NOT NULL;
DROP INDEX "search_document_title_beginning_idx";
ALTER INDEX "search_document_title_beginning_next_idx" RENAME TO "search_document_title_beginning_idx";

-- Titles that a pattern with whole words may match although the words of their documents are others: a "<" begins what
-- PostgreSQL takes for a tag, and of more than 255 characters the title is cut.
CREATE INDEX "search_document_unsure_title_idx" ON "search_document" ("repository", "id")
    WHERE "title" LIKE '%<%' OR "title" LIKE repeat('_', 255) || '%';
