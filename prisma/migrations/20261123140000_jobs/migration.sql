-- oldest build: 0.1.0
-- CreateTable
CREATE TABLE "job" (
    "id" BIGSERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "once" TEXT,
    "key" TEXT,
    "payload" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "run_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "error" TEXT,

    CONSTRAINT "job_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "job_once_key" ON "job"("once");

-- CreateIndex
CREATE INDEX "job_kind_state_run_at_idx" ON "job"("kind", "state", "run_at");

-- CreateIndex
CREATE INDEX "job_kind_key_id_idx" ON "job"("kind", "key", "id");

-- CreateIndex
CREATE INDEX "job_created_at_idx" ON "job"("created_at");
