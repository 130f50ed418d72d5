-- oldest build: 0.2.0
CREATE TABLE "known_device" (
    "user_id" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "known_device_pkey" PRIMARY KEY ("user_id", "token_hash")
);
CREATE INDEX "known_device_last_used_at_idx" ON "known_device"("last_used_at");
ALTER TABLE "known_device" ADD CONSTRAINT "known_device_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
