-- oldest build: 0.1.0
-- AlterTable
ALTER TABLE "oauth2_token" ALTER COLUMN "client_id" DROP NOT NULL, ALTER COLUMN "user_id" DROP NOT NULL;
