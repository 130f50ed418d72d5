-- oldest build: 0.2.0
CREATE TABLE "share_link" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "repository" TEXT NOT NULL,
    "document_id" UUID NOT NULL,
    "mode" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "password_hash" TEXT,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "opened" INTEGER NOT NULL DEFAULT 0,
    "last_opened_at" TIMESTAMPTZ(3),

    CONSTRAINT "share_link_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "share_link_token_hash_key" ON "share_link"("token_hash");
CREATE INDEX "share_link_repository_document_id_idx" ON "share_link"("repository", "document_id");
CREATE INDEX "share_link_repository_created_by_created_at_idx" ON "share_link"("repository", "created_by", "created_at");
ALTER TABLE "share_link" ADD CONSTRAINT "share_link_repository_document_id_fkey" FOREIGN KEY ("repository", "document_id") REFERENCES "document"("repository", "id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "guest_code" (
    "guest" TEXT NOT NULL,
    "code_hash" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "sent_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "guest_code_pkey" PRIMARY KEY ("guest")
);

-- Finds the documents whose own ACLs name a guest.
CREATE INDEX "document_acl_acls_idx" ON "document_acl" USING GIN ("acls" jsonb_path_ops);
