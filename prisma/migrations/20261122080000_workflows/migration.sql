-- CreateTable
CREATE TABLE "workflow" (
    "repository" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "model" TEXT NOT NULL,
    "initiator" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'running',
    "node" TEXT NOT NULL,
    "variables" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workflow_pkey" PRIMARY KEY ("repository","id")
);

-- CreateTable
CREATE TABLE "workflow_document" (
    "repository" TEXT NOT NULL,
    "workflow_id" UUID NOT NULL,
    "document_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "workflow_document_pkey" PRIMARY KEY ("repository","workflow_id","document_id")
);

-- CreateTable
CREATE TABLE "task" (
    "repository" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "workflow_id" UUID NOT NULL,
    "node" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'opened',
    "actors" TEXT[],
    "delegated_actors" TEXT[],
    "comments" JSONB NOT NULL DEFAULT '[]',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3),

    CONSTRAINT "task_pkey" PRIMARY KEY ("repository","id")
);

-- CreateIndex
CREATE INDEX "workflow_repository_initiator_idx" ON "workflow"("repository", "initiator");

-- CreateIndex
CREATE INDEX "workflow_document_repository_document_id_idx" ON "workflow_document"("repository", "document_id");

-- CreateIndex
CREATE INDEX "task_repository_workflow_id_idx" ON "task"("repository", "workflow_id");

-- AddForeignKey
ALTER TABLE "workflow_document" ADD CONSTRAINT "workflow_document_repository_workflow_id_fkey" FOREIGN KEY ("repository", "workflow_id") REFERENCES "workflow"("repository", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workflow_document" ADD CONSTRAINT "workflow_document_repository_document_id_fkey" FOREIGN KEY ("repository", "document_id") REFERENCES "document"("repository", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task" ADD CONSTRAINT "task_repository_workflow_id_fkey" FOREIGN KEY ("repository", "workflow_id") REFERENCES "workflow"("repository", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Whose tasks are open: few of all that there ever were.
CREATE INDEX "task_open_actors_idx" ON "task" USING gin ("actors") WHERE "state" = 'opened';
CREATE INDEX "task_open_delegated_idx" ON "task" USING gin ("delegated_actors") WHERE "state" = 'opened';

-- A workflow without documents is none. It is held before it is asked for the others: of two who delete the last two
-- documents at once, the second one sees that none is left. Whoever works on a workflow holds its documents first.
CREATE FUNCTION "workflow_document_gone"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM "workflow" WHERE "repository" = OLD."repository" AND "id" = OLD."workflow_id" FOR UPDATE;
    DELETE FROM "workflow" WHERE "repository" = OLD."repository" AND "id" = OLD."workflow_id" AND NOT EXISTS (
        SELECT FROM "workflow_document" WHERE "repository" = OLD."repository" AND "workflow_id" = OLD."workflow_id"
    );
    RETURN NULL;
END $$;

CREATE TRIGGER "workflow_document_gone" AFTER DELETE ON "workflow_document" FOR EACH ROW
    EXECUTE FUNCTION "workflow_document_gone"();
