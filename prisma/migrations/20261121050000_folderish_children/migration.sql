-- CreateIndex
CREATE INDEX "document_repository_parent_id_type_idx" ON "document"("repository", "parent_id", "type");

-- What is a folder by a facet of its own, whatever its type: there is next to nothing in it.
CREATE INDEX "document_own_folderish_idx" ON "document" ("repository", "parent_id") WHERE 'Folderish' = ANY ("facets");
