-- oldest build: 0.2.0
ALTER TABLE "identity" ADD COLUMN "ended_at" TIMESTAMPTZ(3);
