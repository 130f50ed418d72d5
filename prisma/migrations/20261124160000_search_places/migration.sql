-- oldest build: 0.1.0
-- As before, and the place of the row in the table, by which the rows of a sample are read.
CREATE OR REPLACE VIEW "searchable" AS SELECT
    "s"."repository", "s"."id", "s"."parent_id", "s"."ancestor_ids", "s"."name", "s"."path", "s"."type", "s"."facets",
    "s"."title", "s"."state", "s"."is_version", "s"."is_proxy", "s"."is_trashed", "s"."is_checked_out",
    "s"."is_latest_version", "s"."is_latest_major_version", "s"."acl_id", "s"."created", "s"."modified",
    "s"."terms" || ARRAY["search_term"('ecm:name', 'string', "s"."name"), "search_term"('ecm:path', 'string', "s"."path"),
        "search_term"('dc:created', 'string', "s"."created"), "search_term"('dc:modified', 'string', "s"."modified")] AS "terms",
    "s"."words", "s"."keys", "s"."terms" AS "kept", "d"."major_version", "d"."minor_version", "d"."system_token",
    "d"."user_token", "d"."live_id", "d"."target_id", "d"."base_version_id", "d"."version_created", "d"."version_comment",
    "d"."lock_owner", "d"."lock_created", "d"."is_record", "d"."retain_until", "d"."has_legal_hold", "d"."position",
    "d"."properties", "s"."ctid" AS "place"
FROM "search_document" AS "s"
LEFT JOIN "document" AS "d" ON "d"."repository" = "s"."repository" AND "d"."id" = "s"."id";
