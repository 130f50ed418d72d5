-- Half of each page is left free: a row that is written again, as all below a folder are when its ACL changes, finds room
-- beside itself, and no index needs to know.
ALTER TABLE "document" SET (fillfactor = 50);
