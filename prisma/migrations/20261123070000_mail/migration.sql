-- oldest build: 0.1.0
-- CreateTable
CREATE TABLE "mail" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "to" TEXT[],
    "cc" TEXT[],
    "bcc" TEXT[],
    "reply_to" TEXT[],
    "subject" TEXT NOT NULL,
    "sealed_text" TEXT,
    "is_html" BOOLEAN NOT NULL DEFAULT false,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3),
    "error" TEXT,

    CONSTRAINT "mail_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mail_file" (
    "mail_id" UUID NOT NULL,
    "index" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "mime_type" TEXT NOT NULL,
    "digest" TEXT NOT NULL,

    CONSTRAINT "mail_file_pkey" PRIMARY KEY ("mail_id","index")
);

-- CreateIndex
CREATE INDEX "mail_status_next_attempt_at_idx" ON "mail"("status", "next_attempt_at");

-- CreateIndex
CREATE INDEX "mail_created_by_created_at_idx" ON "mail"("created_by", "created_at");

-- CreateIndex
CREATE INDEX "mail_created_at_idx" ON "mail"("created_at");

-- CreateIndex
CREATE INDEX "mail_file_digest_idx" ON "mail_file"("digest");

-- AddForeignKey
ALTER TABLE "mail_file" ADD CONSTRAINT "mail_file_mail_id_fkey" FOREIGN KEY ("mail_id") REFERENCES "mail"("id") ON DELETE CASCADE ON UPDATE CASCADE;
