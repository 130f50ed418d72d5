-- CreateTable
CREATE TABLE "directory" (
    "name" TEXT NOT NULL,
    "last_id" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "directory_pkey" PRIMARY KEY ("name")
);

-- AlterTable
ALTER TABLE "directory_entry" ADD COLUMN "ordering" BIGINT NOT NULL DEFAULT 10000000;

-- CreateIndex
CREATE INDEX "directory_entry_directory_ordering_id_idx" ON "directory_entry"("directory", "ordering", "id");

-- What is there already was laid, and stands in its place.
INSERT INTO "directory" ("name") SELECT DISTINCT "directory" FROM "directory_entry";
UPDATE "directory_entry" SET "ordering" = ("properties" ->> 'ordering')::bigint
WHERE jsonb_typeof("properties" -> 'ordering') = 'number';
