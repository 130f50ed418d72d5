-- CreateTable
CREATE TABLE "document" (
    "repository" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "parent_id" UUID,
    "ancestor_ids" UUID[],
    "name" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "facets" TEXT[],
    "title" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'project',
    "major_version" INTEGER NOT NULL DEFAULT 0,
    "minor_version" INTEGER NOT NULL DEFAULT 0,
    "is_checked_out" BOOLEAN NOT NULL DEFAULT true,
    "is_version" BOOLEAN NOT NULL DEFAULT false,
    "is_proxy" BOOLEAN NOT NULL DEFAULT false,
    "is_trashed" BOOLEAN NOT NULL DEFAULT false,
    "system_token" INTEGER NOT NULL DEFAULT 0,
    "user_token" INTEGER NOT NULL DEFAULT 0,
    "properties" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "document_pkey" PRIMARY KEY ("repository","id")
);

-- CreateTable
CREATE TABLE "document_blob" (
    "repository" TEXT NOT NULL,
    "document_id" UUID NOT NULL,
    "xpath" TEXT NOT NULL,
    "digest" TEXT NOT NULL,

    CONSTRAINT "document_blob_pkey" PRIMARY KEY ("repository","document_id","xpath")
);

-- CreateTable
CREATE TABLE "user" (
    "id" TEXT NOT NULL,
    "password_hash" TEXT,
    "properties" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "user_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "directory_entry" (
    "directory" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "properties" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "directory_entry_pkey" PRIMARY KEY ("directory","id")
);

-- CreateIndex
CREATE INDEX "document_repository_parent_id_title_id_idx" ON "document"("repository", "parent_id", "title", "id");

-- CreateIndex
CREATE INDEX "document_path_idx" ON "document" USING HASH ("path");

-- CreateIndex
CREATE INDEX "document_ancestor_ids_idx" ON "document" USING GIN ("ancestor_ids");

-- CreateIndex
CREATE UNIQUE INDEX "document_repository_parent_id_name_key" ON "document"("repository", "parent_id", "name");

-- CreateIndex
CREATE INDEX "document_blob_digest_idx" ON "document_blob"("digest");

-- AddForeignKey
ALTER TABLE "document" ADD CONSTRAINT "document_repository_parent_id_fkey" FOREIGN KEY ("repository", "parent_id") REFERENCES "document"("repository", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_blob" ADD CONSTRAINT "document_blob_repository_document_id_fkey" FOREIGN KEY ("repository", "document_id") REFERENCES "document"("repository", "id") ON DELETE CASCADE ON UPDATE CASCADE;
