import { statement } from '../../db/statement.ts';
import { Conflict, NotFound } from '../../errors.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { type TaskRow, taskColumns, tasksFromClause } from '../../loaders/workflows/tasks.ts';
import { type WorkflowRow, workflowColumns } from '../../loaders/workflows/workflows.ts';
import type { Scope } from '../../scope.ts';
import { lockWithAncestors } from './lock-with-ancestors.ts';

const lockQuery = statement('lock-workflow')`
  SELECT ${workflowColumns} FROM workflow w WHERE w.repository = $1 AND w.id = $2::uuid FOR UPDATE OF w`;

const openTasksQuery = statement('open-tasks-of-workflow')`
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

/**
 * Locks a workflow, its documents first: a transaction that deletes those goes on to the workflow, too.
 * @throws NotFound when it was deleted meanwhile; Conflict when it has ended
 */
export async function lockWorkflow(scope: Scope, found: WorkflowRow): Promise<LockedWorkflow> {
  const { db, options } = scope;
  const references = found.documentIds.map((id) => ({ id }));
  const { documents } =
    references.length > 0 ? await lockWithAncestors(scope, references) : { documents: [] };
  const values = [options.repository, found.id];
  const [workflow] = await db.query<WorkflowRow>(lockQuery, values);
  if (!workflow) throw new NotFound(`there is no workflow ${found.id}`);
  if (workflow.state !== 'running') throw new Conflict(`the workflow ${workflow.id} is ${workflow.state}`);
  return { workflow, openTasks: await db.query<TaskRow>(openTasksQuery, values), documents };
}
