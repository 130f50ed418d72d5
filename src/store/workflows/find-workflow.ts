import { type Statement, statement } from '../../db/statement.ts';
import { Conflict, Forbidden, NotFound } from '../../errors.ts';
import { type TaskRow, taskColumns, taskRow, tasksFromClause } from '../../loaders/workflows/tasks.ts';
import { type WorkflowRow, workflowColumns, workflowRow } from '../../loaders/workflows/workflows.ts';
import type { WorkflowModel } from '../../model/model.ts';
import { isUuid } from '../../model/names.ts';
import type { Scope, Using } from '../../scope.ts';
import { powerUsers } from '../../security/principal.ts';

// Functions that read without locking rows. Only `findManagedWorkflow` checks permissions.

const workflowQuery = statement('find-workflow', workflowRow)`
  SELECT ${workflowColumns} FROM workflow w WHERE w.repository = $1 AND w.id = $2::uuid`;

const taskQuery = statement('find-task', taskRow)`
  SELECT ${taskColumns} FROM ${tasksFromClause} WHERE t.repository = $1 AND t.id = $2::uuid`;

async function first<Row>(
  { db, options }: Scope,
  query: Statement<Row>,
  id: string,
): Promise<Row | undefined> {
  return isUuid(id) ? (await db.query(query, [options.repository, id]))[0] : undefined;
}

/**
 * Returns a task.
 * @throws NotFound
 */
export async function findTask(scope: Scope, id: string): Promise<TaskRow> {
  const task = await first(scope, taskQuery, id);
  if (!task) throw new NotFound(`There is no task ${id}.`);
  return task;
}

/**
 * Returns a workflow.
 * @throws NotFound
 */
async function findWorkflow(scope: Scope, id: string): Promise<WorkflowRow> {
  const workflow = await first(scope, workflowQuery, id);
  if (!workflow) throw new NotFound(`Can not get workflow instance with id: ${id}. It does not exist.`);
  return workflow;
}

/**
 * Returns a workflow that the caller is allowed to manage.
 * @param verb the caller's action as named in messages, such as `cancel`
 * @throws NotFound; Forbidden unless the caller is the initiator, a power user or an administrator
 */
export async function findManagedWorkflow(scope: Scope, id: string, verb: string): Promise<WorkflowRow> {
  const found = await findWorkflow(scope, id);
  const { user } = scope;
  if (!user.isAdministrator && found.initiator !== user.id && !user.groups.includes(powerUsers))
    throw new Forbidden(
      `Only its initiator, power users and administrators can ${verb} the workflow ${found.id}.`,
    );
  return found;
}

/**
 * Returns the model of a workflow.
 * @throws Conflict if the content model no longer contains it
 */
export function workflowModelOf(
  { services: { model } }: Using<'model'>,
  workflow: Pick<WorkflowRow, 'model'>,
): WorkflowModel {
  const found = model.workflows.get(workflow.model);
  if (!found) throw new Conflict(`The workflow model ${workflow.model} no longer exists.`);
  return found;
}
