-- oldest build: 0.1.0
-- How many changes of documents the search index has taken, for ever: a search that found far more documents than are
-- counted does so still while fewer have changed. At most one row, written in the transaction that writes the index.
CREATE TABLE "search_state" (
    "is_only" BOOLEAN NOT NULL DEFAULT true,
    "changes" BIGINT NOT NULL,

    CONSTRAINT "search_state_pkey" PRIMARY KEY ("is_only")
);
