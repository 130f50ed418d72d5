-- oldest build: 0.2.0
-- The analysis of words with which the search index was built, or is being built. Builds before this one leave it NULL.
ALTER TABLE "search_state" ADD COLUMN "analysis" TEXT;
ALTER TABLE "search_rebuild" ADD COLUMN "analysis" TEXT;
