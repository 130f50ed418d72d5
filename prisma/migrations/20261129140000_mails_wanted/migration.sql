-- oldest build: 0.2.0
-- Whether the server mails a user about new tasks and about changes of what the user follows.
ALTER TABLE "user" ADD COLUMN "is_notified" BOOLEAN NOT NULL DEFAULT true;
