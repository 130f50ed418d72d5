-- CreateTable
CREATE TABLE "kept_answer" (
    "repository" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "request" TEXT NOT NULL,
    "answer" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "kept_answer_pkey" PRIMARY KEY ("repository","user_id","key")
);

-- CreateIndex
CREATE INDEX "kept_answer_created_at_idx" ON "kept_answer"("created_at");
