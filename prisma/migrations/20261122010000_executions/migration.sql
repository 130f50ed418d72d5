-- AlterTable
ALTER TABLE "kept_answer" ADD COLUMN "operation" TEXT;

-- Executions of operations, which are counted and looked for by their ids; answers that a key stands for are not in it.
CREATE INDEX "kept_answer_execution_idx" ON "kept_answer" ("user_id", "key") WHERE "operation" IS NOT NULL;
