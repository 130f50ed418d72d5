-- oldest build: 0.2.0
-- The nodes that a workflow has left. For running workflows, these are at least the nodes of their ended tasks.
ALTER TABLE "workflow" ADD COLUMN "passed" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[];
UPDATE "workflow" w SET "passed" = ARRAY(
  SELECT DISTINCT t."node" FROM "task" t
  WHERE t."repository" = w."repository" AND t."workflow_id" = w."id" AND t."state" = 'ended'
);
