-- oldest build: 0.1.0
-- The creations of users and groups among all entries of the log.
CREATE INDEX "log_entry_created_authority_idx" ON "log_entry" ("event_id", ("extended" ->> 'id'), "event_date")
    WHERE "event_id" IN ('user_created', 'group_created');
