-- oldest build: 0.1.0
-- New databases get these entries at their first start, with all others.
INSERT INTO "directory_entry" ("directory", "id", "properties")
SELECT 'eventTypes', "event"."id", sibling."properties" || jsonb_build_object('label', 'label.directories.eventTypes.' || "event"."id")
FROM (VALUES ('commentAdded'), ('commentUpdated'), ('commentRemoved')) AS "event" ("id")
CROSS JOIN (SELECT "properties" FROM "directory_entry" WHERE "directory" = 'eventTypes' AND "id" = 'documentModified') AS sibling
ON CONFLICT DO NOTHING;
