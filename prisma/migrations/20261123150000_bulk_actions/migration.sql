-- oldest build: 0.1.0
-- CreateTable
CREATE TABLE "bulk_command" (
    "id" UUID NOT NULL,
    "repository" TEXT NOT NULL,
    "username" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "parameters" JSONB NOT NULL,
    "query" JSONB NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'SCHEDULED',
    "total" INTEGER NOT NULL DEFAULT 0,
    "processed" INTEGER NOT NULL DEFAULT 0,
    "skipped" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "processing_millis" INTEGER NOT NULL DEFAULT 0,
    "submitted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "scroll_started_at" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "worked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "bulk_command_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "bulk_item" (
    "command_id" UUID NOT NULL,
    "depth" INTEGER NOT NULL,
    "document_id" UUID NOT NULL,
    "error" TEXT,

    CONSTRAINT "bulk_item_pkey" PRIMARY KEY ("command_id","depth","document_id")
);

-- CreateIndex
CREATE INDEX "bulk_command_state_worked_at_idx" ON "bulk_command"("state", "worked_at");
CREATE INDEX "bulk_command_worked_at_idx" ON "bulk_command"("worked_at");

-- CreateIndex: a slice takes what is left, however many have failed before it.
CREATE INDEX "bulk_item_pending_idx" ON "bulk_item"("command_id", "depth", "document_id") WHERE "error" IS NULL;

-- AddForeignKey
ALTER TABLE "bulk_item" ADD CONSTRAINT "bulk_item_command_id_fkey" FOREIGN KEY ("command_id") REFERENCES "bulk_command"("id") ON DELETE CASCADE ON UPDATE CASCADE;
