import { v7 as uuid } from 'uuid';
import { statement } from '../../db/statement.ts';
import { Conflict } from '../../errors.ts';
import type { TaskComment, TaskRow } from '../../loaders/workflows/tasks.ts';
import type { WorkflowRow } from '../../loaders/workflows/workflows.ts';
import type { StoredProperties } from '../../model/values/stored.ts';
import { asTimestamp } from '../../model/values/timestamp.ts';
import type { NodeDefinition, TaskDefinition } from '../../model/workflows/definition.ts';
import { isEndNode, type WorkflowProgress } from '../../model/workflows/progress.ts';
import { taskTexts } from '../../model/workflows/task-texts.ts';
import type { Scope } from '../../scope.ts';
import { type AuditEvent, recordEvents } from '../audit/audit.ts';
import { withoutUnset } from '../documents/properties.ts';
import type { LockedWorkflow } from '../row-locks/lock-workflow.ts';
import { resolveFormerActors } from './actors.ts';
import { asServer, routingEvents } from './routing.ts';
import { runActions } from './run-actions.ts';
import { changeDocumentAcls, taskAclChange, taskAclRemoval } from './task-acls.ts';

const closeQuery = statement('close-tasks')`
  UPDATE task SET state = $3, comments = comments || $4::jsonb
  WHERE repository = $1 AND id = ANY($2::uuid[])`;

/** Stores the state of a workflow. */
export const saveWorkflow = (
  { db, options }: Scope,
  { id, state, node, passed, variables }: Pick<WorkflowRow, 'id' | 'state' | 'node' | 'passed' | 'variables'>,
): Promise<unknown> =>
  db.prisma.workflow.updateMany({
    where: { repository: options.repository, id },
    data: { state, node, passed: [...new Set(passed)], variables: withoutUnset(variables) },
  });

/** Marks tasks as ended or cancelled. */
export const closeTasks = (
  { db, options }: Scope,
  tasks: readonly TaskRow[],
  { state, comments = [] }: { state: 'ended' | 'cancelled'; comments?: readonly TaskComment[] },
): Promise<unknown> =>
  db.query(closeQuery, [options.repository, tasks.map(({ id }) => id), state, JSON.stringify(comments)]);

const day = 86_400_000;

/** The due date of a task, computed from the workflow's variables. */
function dueOf({ due }: TaskDefinition, variables: StoredProperties, now: Date): Date | null {
  if (!due) return null;
  if ('days' in due) return new Date(now.getTime() + due.days * day);
  const date = variables[due.variable];
  return typeof date === 'string' ? new Date(asTimestamp(date)) : null;
}

/**
 * The actors of each task of a node: either all actors share one task, or there is a separate task for each of them.
 */
async function actorsOfTasks(
  scope: Scope,
  { id, task }: NodeDefinition & { task: TaskDefinition },
  { initiator, variables, documentIds }: Pick<WorkflowRow, 'initiator' | 'variables' | 'documentIds'>,
): Promise<string[][]> {
  const { actors } = task;
  const starter = [[`user:${initiator}`]];
  if (actors === 'initiator') return starter;
  const all = (variables[actors.variable] ?? []) as string[];
  const named = 'at' in actors ? all.slice(Number(variables[actors.at] ?? 0)).slice(0, 1) : all;
  if (named.length === 0 && documentIds.length === 0) return starter;
  if (named.length === 0)
    throw new Conflict(
      `The variable ${actors.variable} does not name an actor for the task at the node ${id}.`,
    );
  const resolved = await resolveFormerActors(scope, named);
  return 'together' in actors ? [resolved] : resolved.map((actor) => [actor]);
}

type NewTask = Pick<TaskRow, 'id' | 'actors' | 'delegatedActors'>;

async function openTasks(
  scope: Scope,
  workflow: WorkflowRow,
  { node }: WorkflowProgress,
  comments: readonly TaskComment[],
): Promise<NewTask[]> {
  const { task } = node;
  if (!task) return [];
  const now = new Date();
  const lists = await actorsOfTasks(scope, { ...node, task }, workflow);
  const tasks = lists.map((actors) => ({ id: uuid(), actors, delegatedActors: [] }));
  const common = {
    repository: scope.options.repository,
    workflowId: workflow.id,
    node: node.id,
    createdAt: now,
    dueAt: dueOf(task, workflow.variables, now),
    comments: [...comments],
  };
  await scope.db.prisma.task.createMany({ data: tasks.map((opened) => ({ ...common, ...opened })) });
  return tasks;
}

/**
 * Writes the new state of a locked workflow: its tasks, the permissions of their actors, and the actions of the nodes
 * that it has passed.
 * @param change `closed` contains the former tasks, which are already closed; `events` contains log entries that
 * precede the others; `comments` contains the comments for the new tasks
 */
export async function advanceWorkflow(
  scope: Scope,
  { workflow: before, documents }: Pick<LockedWorkflow, 'workflow' | 'documents'>,
  {
    progress,
    closed = [],
    events = [],
    comments = [],
  }: {
    progress: WorkflowProgress;
    closed?: readonly TaskRow[];
    events?: readonly AuditEvent[];
    comments?: readonly TaskComment[];
  },
): Promise<WorkflowRow> {
  const { node, variables, actions, passed } = progress;
  const state = isEndNode(node) ? ('done' as const) : ('running' as const);
  const workflow = { ...before, state, node: node.id, passed, variables };
  await saveWorkflow(scope, workflow);
  const opened = await openTasks(scope, workflow, progress, comments);
  const taskName = node.task && taskTexts(node.task, variables).name;
  const server = asServer(scope);
  const permission = node.task?.permission;
  await changeDocumentAcls(server, workflow.documentIds, [
    ...closed.map(taskAclRemoval),
    ...(permission === undefined ? [] : opened.map((task) => taskAclChange(task, permission))),
  ]);
  await runActions(server, workflow, actions);
  const subject = { workflow, documents };
  await recordEvents(scope, [
    ...events,
    ...opened.flatMap((task) =>
      routingEvents(scope, subject, 'afterWorkflowTaskCreated', {
        comment: taskName,
        taskId: task.id,
        taskName,
        taskActors: task.actors,
        newActors: task.actors,
      }),
    ),
    ...(state === 'done' ? routingEvents(scope, subject, 'afterWorkflowFinish') : []),
  ]);
  return workflow;
}
