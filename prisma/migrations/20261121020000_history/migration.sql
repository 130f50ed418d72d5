-- AlterTable
ALTER TABLE "document" ADD COLUMN "base_version_id" UUID,
ADD COLUMN "is_latest_major_version" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "is_latest_version" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "live_id" UUID,
ADD COLUMN "lock_created" TIMESTAMPTZ(3),
ADD COLUMN "lock_owner" TEXT,
ADD COLUMN "position" INTEGER,
ADD COLUMN "target_id" UUID,
ADD COLUMN "version_comment" TEXT,
ADD COLUMN "version_created" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "log_entry" (
    "repository" TEXT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "event_id" TEXT NOT NULL,
    "category" TEXT NOT NULL,
    "principal_name" TEXT NOT NULL,
    "comment" TEXT,
    "doc_uuid" UUID,
    "doc_path" TEXT,
    "doc_type" TEXT,
    "doc_life_cycle" TEXT,
    "event_date" TIMESTAMPTZ(3) NOT NULL,
    "log_date" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "extended" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "log_entry_pkey" PRIMARY KEY ("repository","id")
);

-- CreateIndex
CREATE INDEX "document_repository_live_id_idx" ON "document"("repository", "live_id");

-- CreateIndex
CREATE INDEX "document_repository_target_id_idx" ON "document"("repository", "target_id");

-- CreateIndex
CREATE INDEX "log_entry_repository_doc_uuid_event_date_id_idx" ON "log_entry"("repository", "doc_uuid", "event_date", "id");

-- CreateIndex
CREATE INDEX "log_entry_event_date_idx" ON "log_entry"("event_date");

-- AddForeignKey
ALTER TABLE "document" ADD CONSTRAINT "document_repository_live_id_fkey" FOREIGN KEY ("repository", "live_id") REFERENCES "document"("repository", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document" ADD CONSTRAINT "document_repository_target_id_fkey" FOREIGN KEY ("repository", "target_id") REFERENCES "document"("repository", "id") ON DELETE CASCADE ON UPDATE CASCADE;
