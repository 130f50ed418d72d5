-- oldest build: 0.2.0
-- The last sign-in of each user.
CREATE INDEX "log_entry_sign_in_idx" ON "log_entry"("principal_name", "event_date") WHERE "event_id" = 'loginSuccess';

-- The documents that are shared with guests.
CREATE INDEX "document_acl_guests_idx" ON "document_acl"("repository")
  WHERE "acls" @? '$[*].aces[*].username ? (@ starts with "transient/")';

-- Links and codes that have ended are deleted after some time.
CREATE INDEX "share_link_ends_at_idx" ON "share_link"("ends_at");
CREATE INDEX "guest_code_sent_at_idx" ON "guest_code"("sent_at");
