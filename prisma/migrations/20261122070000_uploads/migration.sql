-- CreateTable
CREATE TABLE "upload_batch" (
    "id" UUID NOT NULL,
    "user_id" TEXT NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "upload_batch_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "upload_file" (
    "batch_id" UUID NOT NULL,
    "index" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "mime_type" TEXT NOT NULL,
    "encoding" TEXT,
    "size" BIGINT NOT NULL,
    "chunk_count" INTEGER,
    "digest" TEXT,

    CONSTRAINT "upload_file_pkey" PRIMARY KEY ("batch_id","index")
);

-- CreateTable
CREATE TABLE "upload_chunk" (
    "batch_id" UUID NOT NULL,
    "file_index" INTEGER NOT NULL,
    "index" INTEGER NOT NULL,
    "digest" TEXT NOT NULL,
    "length" BIGINT NOT NULL,

    CONSTRAINT "upload_chunk_pkey" PRIMARY KEY ("batch_id","file_index","index")
);

-- CreateIndex
CREATE INDEX "upload_batch_user_id_idx" ON "upload_batch"("user_id");

-- CreateIndex
CREATE INDEX "upload_batch_used_at_idx" ON "upload_batch"("used_at");

-- CreateIndex
CREATE INDEX "upload_file_digest_idx" ON "upload_file"("digest");

-- CreateIndex
CREATE INDEX "upload_chunk_digest_idx" ON "upload_chunk"("digest");

-- AddForeignKey
ALTER TABLE "upload_batch" ADD CONSTRAINT "upload_batch_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "upload_file" ADD CONSTRAINT "upload_file_batch_id_fkey" FOREIGN KEY ("batch_id") REFERENCES "upload_batch"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "upload_chunk" ADD CONSTRAINT "upload_chunk_batch_id_file_index_fkey" FOREIGN KEY ("batch_id", "file_index") REFERENCES "upload_file"("batch_id", "index") ON DELETE CASCADE ON UPDATE CASCADE;
