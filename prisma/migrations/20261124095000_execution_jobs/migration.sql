-- oldest build: 0.1.0
-- Executions of users who are gone have no caller any more.
DELETE FROM "execution" AS "e" WHERE NOT EXISTS (SELECT FROM "user" AS "u" WHERE "u"."id" = "e"."user_id");

-- AlterTable
ALTER TABLE "execution" ADD COLUMN "request" TEXT;

-- AddForeignKey
ALTER TABLE "execution" ADD CONSTRAINT "execution_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- CreateTable
CREATE TABLE "execution_file" (
    "repository" TEXT NOT NULL,
    "execution_id" TEXT NOT NULL,
    "digest" TEXT NOT NULL,

    CONSTRAINT "execution_file_pkey" PRIMARY KEY ("repository","execution_id","digest")
);

-- CreateIndex
CREATE INDEX "execution_file_digest_idx" ON "execution_file"("digest");

-- AddForeignKey
ALTER TABLE "execution_file" ADD CONSTRAINT "execution_file_repository_execution_id_fkey" FOREIGN KEY ("repository","execution_id") REFERENCES "execution"("repository","id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Bulk actions under way go on as jobs.
INSERT INTO "job" ("kind", "payload")
SELECT 'run-bulk-action', jsonb_build_object('command', "id") FROM "bulk_command"
WHERE "state" IN ('SCHEDULED', 'SCROLLING_RUNNING', 'RUNNING');
