-- oldest build: 0.1.0
-- AlterTable
ALTER TABLE "job" ADD COLUMN "fence" INTEGER NOT NULL DEFAULT 0;

-- DropIndex
DROP INDEX "job_kind_state_run_at_idx";

-- DropIndex
DROP INDEX "job_kind_key_id_idx";

-- Two deliveries of a webhook at a time at most, those of a document one after the other.
CREATE OR REPLACE FUNCTION "webhook_deliveries"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO job (kind, key, payload)
  SELECT 'send-webhook', concat(w.id, ' ', ascii(right(coalesce(l.doc_uuid::text, ''), 1)) % 2), jsonb_build_object(
    'repository', w.repository, 'webhook', w.id, 'message', gen_random_uuid(), 'type', l.event_id,
    'timestamp', to_char(l.event_date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'data', jsonb_build_object(
      'repository', l.repository, 'category', l.category, 'principal', l.principal_name, 'comment', l.comment,
      'document', CASE WHEN l.doc_uuid IS NOT NULL THEN jsonb_build_object(
        'uid', l.doc_uuid, 'path', l.doc_path, 'type', l.doc_type, 'state', l.doc_life_cycle) END,
      'extended', l.extended
    )
  )
  FROM logged l JOIN webhook w ON w.is_enabled
    AND (w.repository = l.repository OR (l.repository = '' AND l.event_id = ANY(w.events)))
    AND (coalesce(cardinality(w.events), 0) = 0 OR l.event_id = ANY(w.events))
    AND (coalesce(cardinality(w.types), 0) = 0 OR l.doc_type = ANY(w.types))
    AND (w.path IS NULL OR l.doc_path = w.path OR starts_with(l.doc_path, rtrim(w.path, '/') || '/'))
  ORDER BY l.id;
  IF FOUND THEN PERFORM pg_notify('quire', 'webhooks jobs'); END IF;
  RETURN NULL;
END $$;

UPDATE "job" SET "key" = concat("payload" ->> 'webhook', ' ', ascii(right(coalesce("payload" #>> '{data,document,uid}', ''), 1)) % 2)
WHERE "kind" = 'send-webhook';

-- Jobs without a key that are due, in their order: those that run are due when their lease ends.
CREATE INDEX "job_due_idx" ON "job" ("kind", "run_at", "id") WHERE "key" IS NULL AND "state" <> 'set-aside';

-- The first job of each key.
CREATE INDEX "job_key_idx" ON "job" ("kind", "key", "id") WHERE "key" IS NOT NULL AND "state" <> 'set-aside';

-- Since when they have been set aside.
CREATE INDEX "job_set_aside_idx" ON "job" ("run_at") WHERE "state" = 'set-aside';

-- CreateIndex
CREATE INDEX "mail_not_before_idx" ON "mail"("not_before");
