-- oldest build: 0.1.0
-- The documents at a path, without versions. It is called IMMUTABLE, although it reads a table, so that PostgreSQL asks it
-- while it plans: how many documents are below a folder decides whether a search reads them or the order of an index.
-- So only statements that are planned each time may use it.
CREATE FUNCTION "ids_at_path"("repository" TEXT, "path" TEXT) RETURNS UUID[] LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    ARRAY(SELECT "d"."id" FROM "document" AS "d"
        WHERE "d"."repository" = "ids_at_path"."repository" AND "d"."path" = "ids_at_path"."path" AND NOT "d"."is_version");

-- The fewer documents a folder has that the statistics still know, the nearer is the guess about those that they do not know.
ALTER TABLE "search_document" ALTER "ancestor_ids" SET STATISTICS 500;
ANALYZE "search_document" ("ancestor_ids");
