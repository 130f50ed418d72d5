-- oldest build: 0.2.0
-- What the error of a document is about, so that the console can word it in the user's language.
ALTER TABLE "bulk_item" ADD COLUMN "error_subject" JSONB;
