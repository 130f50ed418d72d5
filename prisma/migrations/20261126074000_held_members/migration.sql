-- oldest build: 0.1.0
-- A collection under retention or legal hold keeps its members: those that it has are not deleted. Memberships of a
-- collection that is deleted itself end, since its row is gone before them.
CREATE FUNCTION "members_retained"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM "document" d WHERE d."repository" = OLD."repository" AND d."id" = OLD."collection_id"
            AND (d."has_legal_hold" OR d."retain_until" > now())
    ) THEN
        RAISE EXCEPTION '% is under retention or legal hold', OLD."collection_id" USING ERRCODE = 'QR403';
    END IF;
    RETURN OLD;
END $$;

CREATE TRIGGER "members_retained" BEFORE DELETE ON "collection_member" FOR EACH ROW
    EXECUTE FUNCTION "members_retained"();
