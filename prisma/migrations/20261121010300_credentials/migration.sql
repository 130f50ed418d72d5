-- CreateTable
CREATE TABLE "login_token" (
    "id" UUID NOT NULL,
    "user_id" TEXT NOT NULL,
    "application" TEXT NOT NULL,
    "device_id" TEXT NOT NULL,
    "device_description" TEXT NOT NULL,
    "permission" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "login_token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth2_client" (
    "id" SERIAL NOT NULL,
    "client_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "secret_hash" TEXT,
    "redirect_uris" TEXT[],
    "auto_grant" BOOLEAN NOT NULL,
    "enabled" BOOLEAN NOT NULL,

    CONSTRAINT "oauth2_client_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth2_code" (
    "hash" TEXT NOT NULL,
    "client_id" INTEGER NOT NULL,
    "user_id" TEXT NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "is_uri_given" BOOLEAN NOT NULL,
    "scope" TEXT[],
    "challenge" TEXT,
    "challenge_method" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "oauth2_code_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "oauth2_token" (
    "id" SERIAL NOT NULL,
    "client_id" INTEGER NOT NULL,
    "user_id" TEXT NOT NULL,
    "access_hash" TEXT NOT NULL,
    "access_sealed" TEXT NOT NULL,
    "refresh_hash" TEXT NOT NULL,
    "refresh_sealed" TEXT NOT NULL,
    "scope" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "code_hash" TEXT,

    CONSTRAINT "oauth2_token_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "login_token_hash_key" ON "login_token"("hash");

-- CreateIndex
CREATE UNIQUE INDEX "login_token_user_id_application_device_id_key" ON "login_token"("user_id", "application", "device_id");

-- CreateIndex
CREATE UNIQUE INDEX "oauth2_client_client_id_key" ON "oauth2_client"("client_id");

-- CreateIndex
CREATE INDEX "oauth2_code_expires_at_idx" ON "oauth2_code"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "oauth2_token_access_hash_key" ON "oauth2_token"("access_hash");

-- CreateIndex
CREATE UNIQUE INDEX "oauth2_token_refresh_hash_key" ON "oauth2_token"("refresh_hash");

-- CreateIndex
CREATE INDEX "oauth2_token_code_hash_idx" ON "oauth2_token"("code_hash");

-- CreateIndex
CREATE INDEX "oauth2_token_user_id_client_id_idx" ON "oauth2_token"("user_id", "client_id");

-- AddForeignKey
ALTER TABLE "login_token" ADD CONSTRAINT "login_token_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth2_code" ADD CONSTRAINT "oauth2_code_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "oauth2_client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth2_code" ADD CONSTRAINT "oauth2_code_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth2_token" ADD CONSTRAINT "oauth2_token_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "oauth2_client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth2_token" ADD CONSTRAINT "oauth2_token_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
