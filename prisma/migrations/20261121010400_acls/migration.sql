-- AlterTable: documents that are there already point nowhere, and so are readable by administrators alone, until the
-- stock ACLs are laid at the next start.
ALTER TABLE "document" ADD COLUMN "acl_id" UUID NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000';
ALTER TABLE "document" ALTER COLUMN "acl_id" DROP DEFAULT;

-- CreateTable
CREATE TABLE "document_acl" (
    "repository" TEXT NOT NULL,
    "document_id" UUID NOT NULL,
    "acls" JSONB NOT NULL,

    CONSTRAINT "document_acl_pkey" PRIMARY KEY ("repository","document_id")
);

-- CreateTable
CREATE TABLE "effective_acl" (
    "repository" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "entries" JSONB NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "effective_acl_pkey" PRIMARY KEY ("repository","id")
);

-- AddForeignKey
ALTER TABLE "document_acl" ADD CONSTRAINT "document_acl_repository_document_id_fkey" FOREIGN KEY ("repository", "document_id") REFERENCES "document"("repository", "id") ON DELETE CASCADE ON UPDATE CASCADE;
