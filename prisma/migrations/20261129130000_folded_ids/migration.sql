-- oldest build: 0.1.0
-- Ids of users and groups without case, by which new ones are compared. The server folds them, since `lower()` depends
-- on the locale of the database, and fills the rows of before when it starts. Not unique: ids of before may clash.
ALTER TABLE "user" ADD COLUMN "folded_id" TEXT;
ALTER TABLE "group" ADD COLUMN "folded_id" TEXT;

CREATE INDEX "user_folded_id_idx" ON "user" ("folded_id");
CREATE INDEX "group_folded_id_idx" ON "group" ("folded_id");
