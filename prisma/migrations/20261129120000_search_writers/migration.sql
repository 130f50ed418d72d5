-- oldest build: 0.1.0
-- Whose write a change is, and whether its document is large: searches of other users do not wait for it then. Builds
-- before this one name no writer and mark no document as large: all searches wait for their changes.
ALTER TABLE "search_change"
    ADD COLUMN "writer" TEXT DEFAULT NULLIF(current_setting('quire.writer', true), ''),
    ADD COLUMN "is_large" BOOLEAN NOT NULL DEFAULT false;
