-- oldest build: 0.2.0
-- Tokens that administrators created had no scopes. A column without a value is not an empty list.
ALTER TABLE "oauth2_token" ALTER COLUMN "scope" SET DEFAULT ARRAY[]::TEXT[];
UPDATE "oauth2_token" SET "scope" = ARRAY[]::TEXT[] WHERE "scope" IS NULL;
