-- oldest build: 0.1.0
-- Older builds do not count what they receive: such a batch counts with less than it holds, for the day that it lasts.
ALTER TABLE "upload_batch" ADD COLUMN "bytes" BIGINT NOT NULL DEFAULT 0;

UPDATE "upload_batch" b SET "bytes" = held."bytes"
FROM (
    SELECT f."batch_id", sum(CASE WHEN f."chunk_count" IS NULL THEN f."size" ELSE (
        SELECT coalesce(sum(c."length"), 0) FROM "upload_chunk" c
        WHERE c."batch_id" = f."batch_id" AND c."file_index" = f."index"
    ) END) AS "bytes"
    FROM "upload_file" f GROUP BY f."batch_id"
) AS held
WHERE b."id" = held."batch_id";
