-- The latest versions of a document, of which there are two at most: a check-in looks at them alone, however long the
-- history is.
CREATE INDEX "document_latest_version_idx" ON "document" ("repository", "live_id") WHERE "is_latest_version" OR "is_latest_major_version";
