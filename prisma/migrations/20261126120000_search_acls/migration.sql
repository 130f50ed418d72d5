-- oldest build: 0.1.0
-- A user who may read few of many documents is answered by the ACLs that name the user or a group of the user: these
-- are found by an index, and the documents of each by another one, in which equal ids share their entry.

-- Who is granted something by the entries of an effective ACL.
CREATE FUNCTION "granted_names"("entries" JSONB) RETURNS JSONB LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN jsonb_path_query_array("entries", '$[*] ? (@.granted == true).username');

CREATE INDEX "effective_acl_granted_names_idx" ON "effective_acl" USING GIN ("granted_names"("entries"))
    WITH (fastupdate = off);

-- CreateIndex
CREATE INDEX "search_document_repository_acl_id_idx" ON "search_document" ("repository", "acl_id");

-- An ACL of one folder is not to be taken for one of the usual number of documents: 1,000 are counted, not 100.
ALTER TABLE "search_document" ALTER COLUMN "acl_id" SET STATISTICS 1000;
ANALYZE "search_document" ("acl_id");
