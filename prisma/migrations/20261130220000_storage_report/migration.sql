-- oldest build: 0.2.0
-- What the files of a repository take up, as a job has counted it.
CREATE TABLE "storage_report" (
  "repository" TEXT NOT NULL,
  "parts" JSONB NOT NULL,
  "counted_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "storage_report_pkey" PRIMARY KEY ("repository")
);
