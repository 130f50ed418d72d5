-- oldest build: 0.2.0
-- The people whom an event concerns personally. Their inboxes are read from the log.
ALTER TABLE "log_entry" ADD COLUMN "concerns" TEXT[];
CREATE INDEX "log_entry_concerns_idx" ON "log_entry" USING GIN ("concerns") WHERE "concerns" IS NOT NULL;

-- The entries of the inbox that a user has read.
ALTER TABLE "user" ADD COLUMN "read_entries" BIGINT[],
  ADD COLUMN "read_until" BIGINT NOT NULL DEFAULT 0;
