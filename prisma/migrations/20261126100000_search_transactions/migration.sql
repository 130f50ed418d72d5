-- oldest build: 0.1.0
-- Of which transaction a change is, also when a savepoint began before it: a search in that finds its own.
ALTER TABLE "search_change" ADD COLUMN "transaction_id" xid8 NOT NULL DEFAULT pg_current_xact_id();
