-- oldest build: 0.1.0
-- The documents that have changes in the slow lane: the fast lane leaves their later changes to the slow lane, since both
-- lanes work at the same time.
CREATE INDEX "search_change_slow_document_idx" ON "search_change" ("repository", "document_id") WHERE "is_slow";
