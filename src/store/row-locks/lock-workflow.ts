import { statement } from '../../db/statement.ts';
import { Conflict, NotFound } from '../../errors.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { type TaskRow, taskColumns, taskRow, tasksFromClause } from '../../loaders/workflows/tasks.ts';
import { type WorkflowRow, workflowColumns, workflowRow } from '../../loaders/workflows/workflows.ts';
import type { Scope } from '../../scope.ts';
import { lockWithAncestors } from './lock-with-ancestors.ts';

const lockQuery = statement('lock-workflow', workflowRow)`
  SELECT ${workflowColumns} FROM workflow w WHERE w.repository = $1 AND w.id = $2::uuid FOR UPDATE OF w`;

const openTasksQuery = statement('open-tasks-of-workflow', taskRow)`
  SELECT ${taskColumns} FROM ${tasksFromClause}
  WHERE t.repository = $1 AND t.workflow_id = $2::uuid AND t.state = 'opened' ORDER BY t.created_at, t.id`;

/**
 * A workflow that is locked with its documents. Its tasks need no locks: they change under that of their
 * workflow.
 */
export interface LockedWorkflow {
  readonly workflow: WorkflowRow;
  readonly openTasks: readonly TaskRow[];
  readonly documents: readonly DocumentRow[];
}

const lockAll = async (scope: Scope, ids: readonly string[]): Promise<readonly DocumentRow[]> =>
  ids.length > 0
    ? (
        await lockWithAncestors(
          scope,
          ids.map((id) => ({ id })),
        )
      ).documents
    : [];

/** Of several documents, one may be deleted before its lock is held: the workflow goes on with the others. */
async function lockDocumentsOf(scope: Scope, { id: workflowId, documentIds }: WorkflowRow) {
  try {
    return await lockAll(scope, documentIds);
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    const left = await scope.db.prisma.workflowDocument.findMany({
      where: { repository: scope.options.repository, workflowId },
      orderBy: { position: 'asc' },
    });
    return lockAll(
      scope,
      left.map(({ documentId }) => documentId),
    );
  }
}

/**
 * Locks a workflow, its documents first: a transaction that deletes those goes on to the workflow, too.
 * @throws NotFound when it was deleted meanwhile; Conflict when it has ended
 */
export async function lockWorkflow(scope: Scope, found: WorkflowRow): Promise<LockedWorkflow> {
  const { db, options } = scope;
  const documents = await lockDocumentsOf(scope, found);
  const values = [options.repository, found.id];
  const [workflow] = await db.query(lockQuery, values);
  if (!workflow) throw new NotFound(`there is no workflow ${found.id}`);
  if (workflow.state !== 'running') throw new Conflict(`the workflow ${workflow.id} is ${workflow.state}`);
  return { workflow, openTasks: await db.query(openTasksQuery, values), documents };
}
