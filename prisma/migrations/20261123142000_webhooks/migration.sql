-- oldest build: 0.1.0
-- CreateTable
CREATE TABLE "webhook" (
    "repository" TEXT NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "url" TEXT NOT NULL,
    "events" TEXT[],
    "types" TEXT[],
    "path" TEXT,
    "sealed_secret" TEXT NOT NULL,
    "is_enabled" BOOLEAN NOT NULL DEFAULT true,
    "error" TEXT,
    "disabled_at" TIMESTAMPTZ(3),
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_pkey" PRIMARY KEY ("repository","id")
);

-- A delivery for each new log entry and each webhook that asks for it.
CREATE FUNCTION "webhook_deliveries"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO job (kind, key, payload)
  SELECT 'send-webhook', concat_ws(' ', w.id, l.doc_uuid), jsonb_build_object(
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

CREATE TRIGGER "log_entry_webhooks" AFTER INSERT ON "log_entry" REFERENCING NEW TABLE AS logged
FOR EACH STATEMENT EXECUTE FUNCTION "webhook_deliveries"();

-- Enabled with the first webhook: without one, writes pay nothing for it.
ALTER TABLE "log_entry" DISABLE TRIGGER "log_entry_webhooks";
