-- oldest build: 0.1.0
-- Mails that are still to be sent become jobs.
INSERT INTO "job" ("kind", "key", "payload", "created_at", "run_at", "attempts", "error")
SELECT 'send-mail', "id"::text, jsonb_build_object('mail', "id"), "created_at", "next_attempt_at", "attempts", "error"
FROM "mail" WHERE "status" = 'pending' ORDER BY "created_at";

-- DropIndex
DROP INDEX "mail_status_next_attempt_at_idx";

-- AlterTable
ALTER TABLE "mail" RENAME COLUMN "next_attempt_at" TO "not_before";
