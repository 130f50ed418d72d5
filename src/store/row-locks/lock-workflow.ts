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
 * A workflow that is locked along with its documents. Its tasks need no locks, because they change only under the lock
 * of their workflow.
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

/**
 * Locks the documents of a workflow. If one of several documents is deleted before it can be locked, the others are
 * still locked.
 */
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
 * Locks a workflow after its documents. A transaction that deletes the documents takes its locks in the same order.
 * @throws NotFound if the workflow was deleted in the meantime; Conflict if it has ended
 */
export async function lockWorkflow(scope: Scope, found: WorkflowRow): Promise<LockedWorkflow> {
  const { db, options } = scope;
  const documents = await lockDocumentsOf(scope, found);
  const values = [options.repository, found.id];
  const [workflow] = await db.query(lockQuery, values);
  if (!workflow) throw new NotFound(`There is no workflow ${found.id}.`);
  if (workflow.state !== 'running')
    throw new Conflict(
      `The workflow ${workflow.id} is ${workflow.state}. Only running workflows can be changed.`,
    );
  return { workflow, openTasks: await db.query(openTasksQuery, values), documents };
}
