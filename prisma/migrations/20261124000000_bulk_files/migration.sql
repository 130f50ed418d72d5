-- oldest build: 0.1.0
-- CreateTable
CREATE TABLE "bulk_file" (
    "command_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "digest" TEXT NOT NULL,
    "length" BIGINT NOT NULL,

    CONSTRAINT "bulk_file_pkey" PRIMARY KEY ("command_id","position")
);

-- CreateIndex
CREATE INDEX "bulk_file_digest_idx" ON "bulk_file"("digest");

-- AddForeignKey
ALTER TABLE "bulk_file" ADD CONSTRAINT "bulk_file_command_id_fkey" FOREIGN KEY ("command_id") REFERENCES "bulk_command"("id") ON DELETE CASCADE ON UPDATE CASCADE;
