-- oldest build: 0.2.0
CREATE TABLE "extension_sequence" (
    "extension" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "value" BIGINT NOT NULL,
    CONSTRAINT "extension_sequence_pkey" PRIMARY KEY ("extension", "name")
);
