-- oldest build: 0.1.0
-- States, facets, the trash and locks are found by indexes. All are small: equal states share their entries, hardly any
-- document has facets of its own, and few are locked or in the trash.

-- CreateIndex
CREATE INDEX "search_document_repository_state_idx" ON "search_document" ("repository", "state");

-- CreateIndex
CREATE INDEX "search_document_facets_idx" ON "search_document" USING GIN ("facets")
    WITH (gin_pending_list_limit = 512);

-- CreateIndex
CREATE INDEX "search_document_trashed_idx" ON "search_document" ("repository", "id") WHERE "is_trashed";

-- CreateIndex
CREATE INDEX "document_locked_idx" ON "document" ("repository", "lock_owner") WHERE "lock_owner" IS NOT NULL;
