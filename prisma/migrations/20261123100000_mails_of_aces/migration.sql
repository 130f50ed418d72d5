-- oldest build: 0.1.0
-- AlterTable
ALTER TABLE "mail" ADD COLUMN "ace" TEXT;

-- CreateIndex
CREATE INDEX "mail_ace_idx" ON "mail"("ace");
