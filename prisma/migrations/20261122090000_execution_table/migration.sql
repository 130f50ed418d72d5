-- CreateTable
CREATE TABLE "execution" (
    "repository" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "answer" TEXT,
    "renewed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "execution_pkey" PRIMARY KEY ("repository","id")
);

-- CreateIndex
CREATE INDEX "execution_user_id_idx" ON "execution"("user_id");

-- CreateIndex
CREATE INDEX "execution_renewed_at_idx" ON "execution"("renewed_at");

-- Executions were rows of "kept_answer" with an operation, their ids its keys.
WITH moved AS (
    DELETE FROM "kept_answer" WHERE "operation" IS NOT NULL
    RETURNING "repository", "key", "user_id", "operation", "answer", "created_at"
)
INSERT INTO "execution" ("repository", "id", "user_id", "operation", "answer", "renewed_at")
SELECT "repository", "key", "user_id", "operation", "answer", "created_at" FROM moved;

-- DropIndex
DROP INDEX "kept_answer_execution_idx";

-- AlterTable
ALTER TABLE "kept_answer" DROP COLUMN "operation";
