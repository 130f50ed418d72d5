-- oldest build: 0.1.0
-- What users who are gone have asked for is not for a later user of the name.
DELETE FROM "bulk_command" AS "o" WHERE NOT EXISTS (
    SELECT FROM "user" AS "u" LEFT JOIN "former_user" AS "f" ON "f"."id" = "u"."id"
    WHERE "u"."id" = "o"."username" AND coalesce("f"."deleted_at" < "o"."submitted_at", true)
);
DELETE FROM "conversion" AS "o" WHERE NOT EXISTS (
    SELECT FROM "user" AS "u" LEFT JOIN "former_user" AS "f" ON "f"."id" = "u"."id"
    WHERE "u"."id" = "o"."user_id" AND coalesce("f"."deleted_at" < "o"."created_at", true)
);
DELETE FROM "kept_answer" AS "o" WHERE NOT EXISTS (
    SELECT FROM "user" AS "u" LEFT JOIN "former_user" AS "f" ON "f"."id" = "u"."id"
    WHERE "u"."id" = "o"."user_id" AND coalesce("f"."deleted_at" < "o"."created_at", true)
);

-- CreateIndex
CREATE INDEX "bulk_command_username_idx" ON "bulk_command"("username");

-- AlterTable: the key begins with the user, so that the rows of one are found.
ALTER TABLE "kept_answer" DROP CONSTRAINT "kept_answer_pkey",
ADD CONSTRAINT "kept_answer_pkey" PRIMARY KEY ("user_id", "repository", "key");

-- AddForeignKey
ALTER TABLE "bulk_command" ADD CONSTRAINT "bulk_command_username_fkey" FOREIGN KEY ("username") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "conversion" ADD CONSTRAINT "conversion_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "kept_answer" ADD CONSTRAINT "kept_answer_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
