-- oldest build: 0.1.0
-- CreateTable
CREATE TABLE "rendition" (
    "source_digest" TEXT NOT NULL,
    "converter" TEXT NOT NULL,
    "digest" TEXT,
    "length" BIGINT,
    "mime_type" TEXT,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "rendition_pkey" PRIMARY KEY ("source_digest","converter")
);

-- CreateIndex
CREATE INDEX "rendition_digest_idx" ON "rendition"("digest");
CREATE INDEX "rendition_created_at_idx" ON "rendition"("created_at");
