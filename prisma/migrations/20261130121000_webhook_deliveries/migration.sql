-- oldest build: 0.2.0
ALTER TABLE "webhook" ADD COLUMN "deliveries" JSONB NOT NULL DEFAULT '[]';
