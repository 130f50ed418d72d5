-- oldest build: 0.2.0
-- The distinct words of titles, for suggestions that tolerate a typo. The index worker fills it.
CREATE TABLE "title_word" (
    "word" TEXT NOT NULL,
    "typo_keys" TEXT[],
    "checked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "title_word_pkey" PRIMARY KEY ("word")
);
CREATE INDEX "title_word_typo_keys_idx" ON "title_word" USING GIN ("typo_keys");
CREATE INDEX "title_word_checked_at_idx" ON "title_word"("checked_at");

-- The same keys for the names of users; null until a server that knows the column has started.
ALTER TABLE "user" ADD COLUMN "typo_keys" TEXT[];
CREATE INDEX "user_typo_keys_idx" ON "user" USING GIN ("typo_keys");
CREATE INDEX "user_without_typo_keys_idx" ON "user" ("id") WHERE "typo_keys" IS NULL;
