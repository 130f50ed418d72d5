-- oldest build: 0.1.0
-- Comments on what is not in the trash are not there either, unless they were put there themselves.
UPDATE "document" d SET "is_trashed" = false, "system_token" = d."system_token" + 1
FROM "document" root
JOIN "document" place ON place."repository" = root."repository" AND place."id" = root."parent_id"
JOIN "document" live ON live."repository" = place."repository"
    AND live."id" = CASE WHEN place."is_version" THEN place."live_id" ELSE place."id" END
WHERE root."type" = 'CommentRoot' AND root."is_trashed" AND root."name" !~ '\.trashed$' AND NOT live."is_trashed"
    AND d."repository" = root."repository" AND (d."id" = root."id" OR d."ancestor_ids" @> ARRAY[root."id"])
    AND d."is_trashed" AND NOT d."has_legal_hold" AND (d."retain_until" IS NULL OR d."retain_until" <= now());
