import { Conflict, Forbidden } from '../../errors.ts';
import { isActor, type TaskComment, type TaskRow } from '../../loaders/tasks.ts';
import type { TaskDefinition } from '../../model/workflows/definition.ts';
import type { WorkflowModel } from '../../model/workflows/workflow-model.ts';
import type { Scope } from '../../scope.ts';
import { findTask, type HeldWorkflow, holdWorkflow, modelOf } from './held.ts';

/** A task that is held with its workflow, as its model describes it. */
export interface HeldTask extends HeldWorkflow {
  readonly task: TaskRow;
  readonly model: WorkflowModel;
  readonly described: TaskDefinition;
}

/** @throws Forbidden for whoever is neither an actor nor an administrator. */
function requireActor({ user }: Scope, task: TaskRow, what: string): void {
  if (!user.isAdministrator && !isActor(task, user))
    throw new Forbidden(`User with id '${user.id}' cannot ${what} this task`);
}

/**
 * Holds an open task and its workflow.
 * @param what the caller is about to do, in a word.
 * @throws NotFound, Forbidden; Conflict when it is open no more.
 */
export async function holdTask(scope: Scope, id: string, what: string): Promise<HeldTask> {
  const found = await findTask(scope, id);
  requireActor(scope, found, what);
  const closed = new Conflict(`the task ${found.id} is not open any more`);
  if (found.state !== 'opened') throw closed;
  const held = await holdWorkflow(scope, found.workflow);
  const task = held.open.find((open) => open.id === found.id);
  if (!task) throw closed;
  requireActor(scope, task, what); // others may have got it meanwhile
  const model = modelOf(scope, held.workflow);
  const described = model.nodes.get(task.node)?.task;
  if (!described) throw new Conflict(`${held.workflow.model} has no task at ${task.node} any more`);
  return { ...held, task, model, described };
}

/** What the caller says of a task, if anything. */
export const saidBy = ({ user }: Scope, text: string | null | undefined): TaskComment[] =>
  text ? [{ author: user.id, text, date: new Date().toISOString() }] : [];
