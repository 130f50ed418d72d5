-- oldest build: 0.1.0
-- Those that run beside another one of their key run again.
UPDATE "job" SET "state" = 'waiting' WHERE "state" = 'running' AND "key" IS NOT NULL AND "id" NOT IN (
  SELECT min("id") FROM "job" WHERE "state" = 'running' AND "key" IS NOT NULL GROUP BY "kind", "key"
);

-- Of each key one job runs at a time.
CREATE UNIQUE INDEX "job_running_key_idx" ON "job" ("kind", "key") WHERE "state" = 'running' AND "key" IS NOT NULL;
