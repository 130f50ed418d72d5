-- oldest build: 0.1.0
-- CreateTable: files that are converted after the answer, for clients that ask for the result later.
CREATE TABLE "conversion" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" TEXT NOT NULL,
    "source_digest" TEXT NOT NULL,
    "source_type" TEXT NOT NULL,
    "converters" TEXT[],
    "parameters" JSONB NOT NULL,
    "stem" TEXT NOT NULL,
    "digest" TEXT,
    "length" BIGINT,
    "mime_type" TEXT,
    "error" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "conversion_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "conversion_user_id_idx" ON "conversion"("user_id");

-- CreateIndex
CREATE INDEX "conversion_digest_idx" ON "conversion"("digest");

-- CreateIndex
CREATE INDEX "conversion_created_at_idx" ON "conversion"("created_at");
