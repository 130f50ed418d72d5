-- oldest build: 0.1.0
-- The next start gives these directories, which had no entries, those that they have now.
DELETE FROM "directory" WHERE "name" IN ('eventTypes', 'eventCategories')
  AND NOT EXISTS (SELECT FROM "directory_entry" WHERE "directory" = "directory"."name");
