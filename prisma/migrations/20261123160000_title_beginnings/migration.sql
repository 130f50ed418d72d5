-- oldest build: 0.1.0
-- Finds the beginning of a title whatever the collation of the database; the other index of titles has their order.
CREATE INDEX "search_document_title_beginning_idx" ON "search_document" ("repository", "title" text_pattern_ops)
    WHERE "title" <> '';
