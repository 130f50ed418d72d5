-- oldest build: 0.2.0
CREATE TABLE "session" (
    "id" UUID NOT NULL,
    "user_id" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "browser" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "session_user_id_created_at_idx" ON "session"("user_id", "created_at");
CREATE INDEX "session_ends_at_idx" ON "session"("ends_at");
ALTER TABLE "session" ADD CONSTRAINT "session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "login_token" ADD COLUMN "last_used_at" TIMESTAMPTZ(3);
ALTER TABLE "oauth2_token" ADD COLUMN "last_used_at" TIMESTAMPTZ(3);
