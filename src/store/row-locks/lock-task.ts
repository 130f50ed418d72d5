import { Conflict, Forbidden } from '../../errors.ts';
import { isActor, type TaskRow } from '../../loaders/workflows/tasks.ts';
import type { WorkflowModel } from '../../model/model.ts';
import type { TaskDefinition } from '../../model/workflows/definition.ts';
import { taskTexts } from '../../model/workflows/task-texts.ts';
import type { Scope } from '../../scope.ts';
import { findTask, workflowModelOf } from '../workflows/find-workflow.ts';
import { type LockedWorkflow, lockWorkflow } from './lock-workflow.ts';

/** An open task whose workflow has been locked. */
export interface LockedTask extends LockedWorkflow {
  readonly task: TaskRow;
  readonly model: WorkflowModel;
  readonly definition: TaskDefinition;
  readonly taskName: string;
}

/**
 * Checks that the caller is allowed to act on the task.
 * @throws Forbidden unless the caller is an actor or an administrator
 */
function requireActor({ user }: Scope, task: TaskRow, verb: string): void {
  if (!user.isAdministrator && !isActor(task, user))
    throw new Forbidden(`User with id '${user.id}' cannot ${verb} this task`);
}

/**
 * Locks the workflow of an open task.
 * @param verb the caller's action as named in messages, such as `complete`
 * @throws NotFound, Forbidden; Conflict if the task is no longer open
 */
export async function lockTask(scope: Scope, id: string, verb: string): Promise<LockedTask> {
  const found = await findTask(scope, id);
  requireActor(scope, found, verb);
  const closed = new Conflict(`The task ${found.id} is no longer open.`);
  if (found.state !== 'opened') throw closed;
  const locked = await lockWorkflow(scope, found.workflow);
  const task = locked.openTasks.find((open) => open.id === found.id);
  if (!task) throw closed;
  requireActor(scope, task, verb); // the actors may have changed while this transaction waited for the lock
  const model = workflowModelOf(scope, locked.workflow);
  const definition = model.nodes.get(task.node)?.task;
  if (!definition)
    throw new Conflict(
      `The workflow model ${locked.workflow.model} no longer has a task at the node ${task.node}.`,
    );
  const { name: taskName } = taskTexts(definition, locked.workflow.variables);
  return { ...locked, task, taskName, model, definition };
}
