-- oldest build: 0.1.0
-- AlterTable
ALTER TABLE "user" ADD COLUMN "credentials_ended_at" TIMESTAMPTZ(3);
