-- oldest build: 0.2.0
-- A daily digest instead of single emails. An older build sends such a user no emails about tasks and changes.
ALTER TABLE "user" ADD COLUMN "is_daily" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "notified_since" TIMESTAMPTZ(3);
