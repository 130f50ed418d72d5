-- The ACEs that count on the document of a tag, so that labels are found by who may read them. There are none of
-- versions and of what is in the trash: nobody looks for those by their labels.
ALTER TABLE "document_tag" ADD COLUMN "acl_id" UUID;

CREATE OR REPLACE FUNCTION "document_tag_refresh"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        DELETE FROM "document_tag" WHERE "repository" = NEW."repository" AND "document_id" = NEW."id";
    END IF;
    INSERT INTO "document_tag" ("repository", "document_id", "label", "acl_id")
    SELECT DISTINCT NEW."repository", NEW."id", left(lower(tag ->> 'label'), 255),
        CASE WHEN NOT NEW."is_version" AND NOT NEW."is_trashed" THEN NEW."acl_id" END
    FROM jsonb_path_query(NEW."properties", '$."nxtag:tags"[*]') AS tag
    WHERE tag ->> 'label' <> '';
    RETURN NULL;
END $$;

CREATE FUNCTION "document_tag_govern"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "document_tag" SET "acl_id" = CASE WHEN NOT NEW."is_trashed" THEN NEW."acl_id" END
    WHERE "repository" = NEW."repository" AND "document_id" = NEW."id";
    RETURN NULL;
END $$;

CREATE TRIGGER "document_tag_govern" AFTER UPDATE OF "acl_id", "is_trashed" ON "document" FOR EACH ROW
    WHEN (
        NOT NEW."is_version"
        AND (OLD."acl_id" <> NEW."acl_id" OR OLD."is_trashed" <> NEW."is_trashed")
        AND NEW."properties" ? 'nxtag:tags'
    )
    EXECUTE FUNCTION "document_tag_govern"();

UPDATE "document_tag" t SET "acl_id" = d."acl_id" FROM "document" d
WHERE d."repository" = t."repository" AND d."id" = t."document_id" AND NOT d."is_version" AND NOT d."is_trashed";

DROP INDEX "document_tag_repository_label_document_id_idx";
CREATE INDEX "document_tag_label_idx" ON "document_tag" ("repository", "label", "document_id") WHERE "acl_id" IS NOT NULL;
CREATE INDEX "document_tag_acl_idx" ON "document_tag" ("repository", "acl_id", "label") WHERE "acl_id" IS NOT NULL;
