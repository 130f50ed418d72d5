-- CreateTable
-- Labels are compared byte by byte, so that the index finds the beginning of one whatever the database's collation.
CREATE TABLE "document_tag" (
    "repository" TEXT NOT NULL,
    "document_id" UUID NOT NULL,
    "label" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "document_tag_pkey" PRIMARY KEY ("repository","document_id","label")
);

-- CreateTable
CREATE TABLE "collection_member" (
    "repository" TEXT NOT NULL,
    "collection_id" UUID NOT NULL,
    "member_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "collection_member_pkey" PRIMARY KEY ("repository","collection_id","member_id")
);

-- CreateTable
CREATE TABLE "subscription" (
    "repository" TEXT NOT NULL,
    "document_id" UUID NOT NULL,
    "user_id" TEXT NOT NULL,
    "notification" TEXT NOT NULL,

    CONSTRAINT "subscription_pkey" PRIMARY KEY ("repository","document_id","user_id","notification")
);

-- CreateIndex
CREATE INDEX "document_tag_repository_label_document_id_idx" ON "document_tag"("repository", "label", "document_id");

-- CreateIndex
CREATE INDEX "collection_member_repository_collection_id_position_idx" ON "collection_member"("repository", "collection_id", "position");

-- CreateIndex
CREATE INDEX "collection_member_repository_member_id_idx" ON "collection_member"("repository", "member_id");

-- CreateIndex
CREATE INDEX "subscription_user_id_idx" ON "subscription"("user_id");

-- AddForeignKey
ALTER TABLE "document_tag" ADD CONSTRAINT "document_tag_repository_document_id_fkey" FOREIGN KEY ("repository", "document_id") REFERENCES "document"("repository", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "collection_member" ADD CONSTRAINT "collection_member_repository_collection_id_fkey" FOREIGN KEY ("repository", "collection_id") REFERENCES "document"("repository", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "collection_member" ADD CONSTRAINT "collection_member_repository_member_id_fkey" FOREIGN KEY ("repository", "member_id") REFERENCES "document"("repository", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscription" ADD CONSTRAINT "subscription_repository_document_id_fkey" FOREIGN KEY ("repository", "document_id") REFERENCES "document"("repository", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscription" ADD CONSTRAINT "subscription_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Collections by the beginning of their title; documents of any type by their title.
CREATE INDEX "document_repository_type_lower_title_idx" ON "document" ("repository", "type", lower("title") text_pattern_ops);

-- The labels of a document are those of its tags. An index entry holds no label of any length.
CREATE FUNCTION "document_tag_refresh"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        DELETE FROM "document_tag" WHERE "repository" = NEW."repository" AND "document_id" = NEW."id";
    END IF;
    INSERT INTO "document_tag" ("repository", "document_id", "label")
    SELECT DISTINCT NEW."repository", NEW."id", left(lower(tag ->> 'label'), 255)
    FROM jsonb_path_query(NEW."properties", '$."nxtag:tags"[*]') AS tag
    WHERE tag ->> 'label' <> '';
    RETURN NULL;
END $$;

CREATE TRIGGER "document_tag_insert" AFTER INSERT ON "document" FOR EACH ROW
    WHEN (NEW."properties" ? 'nxtag:tags') EXECUTE FUNCTION "document_tag_refresh"();

CREATE TRIGGER "document_tag_update" AFTER UPDATE OF "properties" ON "document" FOR EACH ROW
    WHEN (OLD."properties" -> 'nxtag:tags' IS DISTINCT FROM NEW."properties" -> 'nxtag:tags')
    EXECUTE FUNCTION "document_tag_refresh"();

INSERT INTO "document_tag" ("repository", "document_id", "label")
SELECT DISTINCT d."repository", d."id", left(lower(tag ->> 'label'), 255)
FROM "document" d CROSS JOIN jsonb_path_query(d."properties", '$."nxtag:tags"[*]') AS tag
WHERE tag ->> 'label' <> '';

-- Nobody could make a collection until now: what anybody wrote there was no membership.
UPDATE "document" SET "properties" = "properties" - '{collection:documentIds,collectionMember:collectionIds}'::text[]
WHERE "properties" ?| '{collection:documentIds,collectionMember:collectionIds}'::text[];
