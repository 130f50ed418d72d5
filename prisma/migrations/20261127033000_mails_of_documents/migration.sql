-- oldest build: 0.1.0
-- AlterTable: the document whose ACE a mail is about. Once it is gone the mail is not sent.
ALTER TABLE "mail" ADD COLUMN "document_id" UUID,
ADD COLUMN "repository" TEXT;
