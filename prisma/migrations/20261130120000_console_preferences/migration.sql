-- oldest build: 0.2.0
ALTER TABLE "user" ADD COLUMN "console_preferences" JSONB NOT NULL DEFAULT '{}';
