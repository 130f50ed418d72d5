-- oldest build: 0.2.0
ALTER TABLE "session" ADD COLUMN "provider" TEXT, ADD COLUMN "identity_session_id" UUID;
CREATE INDEX "session_identity_session_id_idx" ON "session"("identity_session_id");
ALTER TABLE "session" ADD CONSTRAINT "session_identity_session_id_fkey" FOREIGN KEY ("identity_session_id") REFERENCES "identity_session"("id") ON DELETE CASCADE ON UPDATE CASCADE;
