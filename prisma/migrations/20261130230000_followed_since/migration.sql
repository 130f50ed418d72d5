-- oldest build: 0.2.0
-- When a user subscribed, so that earlier changes are not reported as new. The epoch keeps the news of subscriptions that exist.
ALTER TABLE "subscription" ADD COLUMN "since" TIMESTAMPTZ(3) NOT NULL DEFAULT 'epoch';
ALTER TABLE "subscription" ALTER COLUMN "since" SET DEFAULT CURRENT_TIMESTAMP;
