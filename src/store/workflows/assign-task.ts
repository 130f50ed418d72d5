import type { Query } from '../../db/database.ts';
import { Forbidden, Invalid } from '../../errors.ts';
import { isActor, type TaskRow } from '../../loaders/tasks.ts';
import { requireStorable } from '../../model/storable.ts';
import type { Scope } from '../../scope.ts';
import { record } from '../audit.ts';
import { actorsNamed } from './actors.ts';
import { asServer, routing } from './held.ts';
import { type HeldTask, holdTask, saidBy } from './held-task.ts';
import { changeRights, rightsOf } from './rights.ts';

const assignQuery: Query = {
  name: 'assign-task',
  text: `
    UPDATE task SET actors = $3, delegated_actors = $4, comments = comments || $5::jsonb
    WHERE repository = $1 AND id = $2::uuid`,
};

/** To whom a task goes, and what is said of that. */
export interface Assignment {
  /** `user:NAME`, `group:NAME`, or bare names. */
  readonly actors: readonly string[];
  readonly comment?: string | null | undefined;
}

type Actors = Pick<TaskRow, 'actors' | 'delegatedActors'>;

/** @throws Forbidden for those whom actors have asked to: they may end the task, and ask nobody else. */
function requireOwn({ user }: Scope, { actors }: TaskRow, what: string): void {
  if (!user.isAdministrator && !isActor({ actors, delegatedActors: [] }, user))
    throw new Forbidden(`User with id '${user.id}' cannot ${what} this task`);
}

/** Writes whose a held task is now, and what they may do. */
async function assign(
  scope: Scope,
  { task, described, workflow, documents }: HeldTask,
  { after, comment, eventId }: { after: Actors; comment: string | null | undefined; eventId: string },
): Promise<TaskRow> {
  const said = saidBy(scope, comment);
  const { actors, delegatedActors } = after;
  const values = [scope.options.repository, task.id, actors, delegatedActors, JSON.stringify(said)];
  await scope.db.query(assignQuery, values);
  const assigned = { ...task, actors, delegatedActors, comments: [...task.comments, ...said] };
  if (described.permission !== undefined) {
    const rights = rightsOf(assigned, described.permission);
    await changeRights(asServer(scope), workflow.documentIds, [rights]);
  }
  const told = { comment, taskId: task.id, taskName: described.name, taskActors: actors, delegatedActors };
  await record(scope, routing({ workflow, documents }, eventId, told));
  return assigned;
}

/**
 * Gives a task to others, who replace its actors and those whom these have asked to.
 * @throws NotFound, Forbidden; Conflict when it is not open; Invalid when its model does not let it be given to others,
 * and naming people whom there are not.
 */
export async function reassignTask(
  scope: Scope,
  id: string,
  { actors, comment }: Assignment,
): Promise<TaskRow> {
  requireStorable(comment);
  const held = await holdTask(scope, id, 'reassign');
  requireOwn(scope, held.task, 'reassign');
  if (!held.described.reassignable) throw new Invalid(`the task ${held.task.id} cannot be reassigned`);
  const after = { actors: await actorsNamed(scope, actors, 'actors'), delegatedActors: [] };
  return assign(scope, held, { after, comment, eventId: 'afterWorkflowTaskReassigned' });
}

/**
 * Lets others end a task too.
 * @throws NotFound, Forbidden; Conflict when it is not open; Invalid naming people whom there are not.
 */
export async function delegateTask(
  scope: Scope,
  id: string,
  { actors, comment }: Assignment,
): Promise<TaskRow> {
  requireStorable(comment);
  const held = await holdTask(scope, id, 'delegate');
  requireOwn(scope, held.task, 'delegate');
  const named = await actorsNamed(scope, actors, 'delegatedActors');
  const { actors: own, delegatedActors } = held.task;
  const after = { actors: own, delegatedActors: [...new Set([...delegatedActors, ...named])] };
  return assign(scope, held, { after, comment, eventId: 'afterWorkflowTaskDelegated' });
}
