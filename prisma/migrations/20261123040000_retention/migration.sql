-- oldest build: 0.1.0
-- AlterTable
ALTER TABLE "document" ADD COLUMN "has_legal_hold" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "is_record" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "retain_until" TIMESTAMPTZ(3);

-- A record stays one, and its retention is never shortened. While a document is under retention or legal hold it is not
-- deleted, and of its columns only those change that are not its own: its lock, ACLs, versions, tags, and memberships.
CREATE FUNCTION "document_retained"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "relations" CONSTANT text[] := '{CollectionMember,Notifiable}';
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF OLD."is_record" AND NOT NEW."is_record" THEN
            RAISE EXCEPTION '% is a record, and stays one', OLD."id" USING ERRCODE = 'QR403';
        END IF;
        IF NEW."retain_until" < OLD."retain_until" OR (NEW."retain_until" IS NULL AND OLD."retain_until" IS NOT NULL) THEN
            RAISE EXCEPTION '% is retained for longer: retention is never shortened', OLD."id" USING ERRCODE = 'QR403';
        END IF;
    END IF;
    IF OLD."has_legal_hold" OR OLD."retain_until" > now() THEN
        IF TG_OP = 'DELETE' THEN
            RAISE EXCEPTION '% is under retention or legal hold', OLD."id" USING ERRCODE = 'QR403';
        END IF;
        IF (NEW."parent_id", NEW."ancestor_ids", NEW."name", NEW."path", NEW."type", NEW."title", NEW."state", NEW."is_trashed")
            IS DISTINCT FROM
            (OLD."parent_id", OLD."ancestor_ids", OLD."name", OLD."path", OLD."type", OLD."title", OLD."state", OLD."is_trashed")
            OR NEW."properties" - 'nxtag:tags' <> OLD."properties" - 'nxtag:tags'
            OR NOT NEW."facets" || "relations" @> OLD."facets" OR NOT OLD."facets" || "relations" @> NEW."facets"
        THEN
            RAISE EXCEPTION '% is under retention or legal hold', OLD."id" USING ERRCODE = 'QR403';
        END IF;
    END IF;
    IF TG_OP = 'DELETE' THEN
        RETURN OLD;
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER "document_retained" BEFORE UPDATE OR DELETE ON "document" FOR EACH ROW
    WHEN (OLD."is_record" OR OLD."has_legal_hold" OR OLD."retain_until" IS NOT NULL)
    EXECUTE FUNCTION "document_retained"();
