-- oldest build: 0.2.0
CREATE TABLE "identity" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "provider" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_sign_in_at" TIMESTAMPTZ(3),

    CONSTRAINT "identity_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "identity_provider_subject_key" ON "identity"("provider", "subject");
CREATE INDEX "identity_user_id_idx" ON "identity"("user_id");
ALTER TABLE "identity" ADD CONSTRAINT "identity_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "identity_session" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "identity_id" UUID NOT NULL,
    "sid" TEXT,
    "sealed_token" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "identity_session_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "identity_session_identity_id_idx" ON "identity_session"("identity_id");
CREATE INDEX "identity_session_sid_idx" ON "identity_session"("sid");
CREATE INDEX "identity_session_expires_at_idx" ON "identity_session"("expires_at");
ALTER TABLE "identity_session" ADD CONSTRAINT "identity_session_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identity"("id") ON DELETE CASCADE ON UPDATE CASCADE;
