-- oldest build: 0.1.0
-- AlterTable
ALTER TABLE "oauth2_token" ADD COLUMN "ends_at" TIMESTAMPTZ(3);

-- How long the JWTs lasted is not known: what clients got for them before ends with its first hour.
UPDATE "oauth2_token" SET "ends_at" = "created_at" + interval '1 hour' WHERE "code_hash" IS NULL;
