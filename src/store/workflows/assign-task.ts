import { Forbidden, Invalid } from '../../errors.ts';
import { isActor, type TaskRow } from '../../loaders/workflows/tasks.ts';
import type { EventName } from '../../model/event-names.ts';
import { requireStorable } from '../../model/values/storable.ts';
import type { Scope } from '../../scope.ts';
import { recordEvents } from '../audit/audit.ts';
import { type LockedTask, lockTask } from '../row-locks/lock-task.ts';
import { resolveActors } from './actors.ts';
import { asServer, callerComments, routingEvents } from './routing.ts';
import { changeDocumentAcls, taskAclChange } from './task-acls.ts';

/** The new actors of a task. */
interface Assignment {
  readonly actors: readonly string[];
  readonly comment?: string | null | undefined;
}

type Actors = Pick<TaskRow, 'actors' | 'delegatedActors'>;

/**
 * Checks that the caller is not merely a delegate.
 * @throws Forbidden for delegates, who can complete the task but not pass it on
 */
function requireOwn({ user }: Scope, { actors }: TaskRow, what: string): void {
  if (!user.isAdministrator && !isActor({ actors, delegatedActors: [] }, user))
    throw new Forbidden(`User with id '${user.id}' cannot ${what} this task`);
}

async function assign(
  scope: Scope,
  { task, taskName, definition, workflow, documents }: LockedTask,
  {
    after,
    newActors,
    comment,
    eventId,
  }: {
    after: Actors;
    newActors: readonly string[];
    comment: string | null | undefined;
    eventId: EventName;
  },
): Promise<TaskRow> {
  const newComments = callerComments(scope, comment);
  const { actors, delegatedActors } = after;
  const assigned = { ...task, actors, delegatedActors, comments: [...task.comments, ...newComments] };
  await scope.db.prisma.task.updateMany({
    where: { repository: scope.options.repository, id: task.id },
    data: { actors: [...actors], delegatedActors: [...delegatedActors], comments: assigned.comments },
  });
  if (definition.permission !== undefined) {
    const rights = taskAclChange(assigned, definition.permission);
    await changeDocumentAcls(asServer(scope), workflow.documentIds, [rights]);
  }
  const details = { comment, taskId: task.id, taskName, taskActors: actors, delegatedActors, newActors };
  await recordEvents(scope, routingEvents(scope, { workflow, documents }, eventId, details));
  return assigned;
}

/**
 * Replaces the actors and delegates of a task.
 * @throws NotFound, Forbidden; Conflict if the task is not open; Invalid if the workflow model does not allow it, or
 * for unknown names
 */
export async function reassignTask(
  scope: Scope,
  id: string,
  { actors, comment }: Assignment,
): Promise<TaskRow> {
  requireStorable(comment);
  const locked = await lockTask(scope, id, 'reassign');
  requireOwn(scope, locked.task, 'reassign');
  if (!locked.definition.reassignable) throw new Invalid(`The task ${locked.task.id} cannot be reassigned.`);
  const after = { actors: await resolveActors(scope, actors, 'actors'), delegatedActors: [] };
  return assign(scope, locked, {
    after,
    newActors: after.actors,
    comment,
    eventId: 'afterWorkflowTaskReassigned',
  });
}

/**
 * Adds delegates to a task, who can also complete it.
 * @throws NotFound, Forbidden; Conflict if the task is not open; Invalid for unknown names
 */
export async function delegateTask(
  scope: Scope,
  id: string,
  { actors, comment }: Assignment,
): Promise<TaskRow> {
  requireStorable(comment);
  const locked = await lockTask(scope, id, 'delegate');
  requireOwn(scope, locked.task, 'delegate');
  const named = await resolveActors(scope, actors, 'delegatedActors');
  const { actors: own, delegatedActors } = locked.task;
  const after = { actors: own, delegatedActors: [...new Set([...delegatedActors, ...named])] };
  return assign(scope, locked, {
    after,
    newActors: named,
    comment,
    eventId: 'afterWorkflowTaskDelegated',
  });
}
