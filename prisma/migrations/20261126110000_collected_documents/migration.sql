-- oldest build: 0.1.0
-- Up to which id a bulk action has collected its documents, which it does in several transactions.
ALTER TABLE "bulk_command" ADD COLUMN "collected_to" UUID;
