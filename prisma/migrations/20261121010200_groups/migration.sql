-- CreateTable
CREATE TABLE "group" (
    "id" TEXT NOT NULL,
    "properties" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "group_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "user_membership" (
    "member_id" TEXT NOT NULL,
    "group_id" TEXT NOT NULL,

    CONSTRAINT "user_membership_pkey" PRIMARY KEY ("member_id","group_id")
);

-- CreateTable
CREATE TABLE "group_membership" (
    "member_id" TEXT NOT NULL,
    "group_id" TEXT NOT NULL,

    CONSTRAINT "group_membership_pkey" PRIMARY KEY ("member_id","group_id")
);

-- CreateIndex
CREATE INDEX "user_membership_group_id_member_id_idx" ON "user_membership"("group_id", "member_id");

-- CreateIndex
CREATE INDEX "group_membership_group_id_member_id_idx" ON "group_membership"("group_id", "member_id");

-- AddForeignKey
ALTER TABLE "user_membership" ADD CONSTRAINT "user_membership_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_membership" ADD CONSTRAINT "user_membership_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "group"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_membership" ADD CONSTRAINT "group_membership_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "group"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_membership" ADD CONSTRAINT "group_membership_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "group"("id") ON DELETE CASCADE ON UPDATE CASCADE;
