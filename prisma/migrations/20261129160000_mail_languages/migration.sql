-- oldest build: 0.2.0
-- The language of mails to a user.
ALTER TABLE "user" ADD COLUMN "language" TEXT;
