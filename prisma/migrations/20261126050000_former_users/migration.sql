-- oldest build: 0.1.0
-- CreateTable: users that were deleted. JWTs from before are refused where a new user has the name.
CREATE TABLE "former_user" (
    "id" TEXT NOT NULL,
    "deleted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "former_user_pkey" PRIMARY KEY ("id")
);
