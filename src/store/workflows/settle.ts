import { v7 as uuid } from 'uuid';
import type { Query } from '../../db/database.ts';
import { Conflict } from '../../errors.ts';
import type { TaskComment, TaskRow } from '../../loaders/tasks.ts';
import type { WorkflowRow } from '../../loaders/workflows.ts';
import type { StoredProperties } from '../../model/stored.ts';
import type { NodeDefinition, TaskDefinition } from '../../model/workflows/definition.ts';
import { isEnd, type Progress } from '../../model/workflows/progress.ts';
import type { Scope } from '../../scope.ts';
import { type Event, record } from '../audit.ts';
import { withoutUnset } from '../properties.ts';
import { actorsOnce } from './actors.ts';
import { doAll } from './deeds.ts';
import { asServer, type HeldWorkflow, routing } from './held.ts';
import { changeRights, noRightsOf, rightsOf } from './rights.ts';

const saveQuery: Query = {
  name: 'save-workflow',
  text: `
    UPDATE workflow SET state = $3, node = $4, variables = $5::jsonb WHERE repository = $1 AND id = $2::uuid`,
};

const closeQuery: Query = {
  name: 'close-tasks',
  text: `
    UPDATE task SET state = $3, comments = comments || $4::jsonb
    WHERE repository = $1 AND id = ANY($2::uuid[])`,
};

const openQuery: Query = {
  name: 'open-tasks',
  text: `
    INSERT INTO task (repository, id, workflow_id, node, actors, delegated_actors, created_at, due_at)
    SELECT $1, n.id, $2::uuid, $3, n.actors, '{}', $4::timestamptz, $5::timestamptz
    FROM jsonb_to_recordset($6::jsonb) AS n (id uuid, actors text[])`,
};

/** Writes where a workflow stands now. */
export const saveWorkflow = (
  { db, options }: Scope,
  { id, state, node, variables }: Pick<WorkflowRow, 'id' | 'state' | 'node' | 'variables'>,
): Promise<unknown> =>
  db.query(saveQuery, [options.repository, id, state, node, JSON.stringify(withoutUnset(variables))]);

/** Closes tasks, and keeps what is said of that. */
export const closeTasks = (
  { db, options }: Scope,
  tasks: readonly TaskRow[],
  { state, comments = [] }: { state: 'ended' | 'cancelled'; comments?: readonly TaskComment[] },
): Promise<unknown> =>
  db.query(closeQuery, [options.repository, tasks.map(({ id }) => id), state, JSON.stringify(comments)]);

const day = 86_400_000;

function dueOf({ due }: TaskDefinition, variables: StoredProperties, now: Date): string | null {
  if (!due) return null;
  if ('days' in due) return new Date(now.getTime() + due.days * day).toISOString();
  const date = variables[due.variable];
  return typeof date === 'string' ? date : null;
}

/** Whose the tasks of a node are: a list for each task. @throws Conflict when they would be nobody's. */
async function actorsOfTasks(
  scope: Scope,
  { id, task }: NodeDefinition & { task: TaskDefinition },
  { initiator, variables }: Pick<WorkflowRow, 'initiator' | 'variables'>,
): Promise<string[][]> {
  const { actors } = task;
  if (actors === 'initiator') return [[`user:${initiator}`]];
  const all = (variables[actors.variable] ?? []) as string[];
  const named = actors.at === undefined ? all : all.slice(Number(variables[actors.at] ?? 0)).slice(0, 1);
  if (named.length === 0)
    throw new Conflict(`${actors.variable} names nobody whose the task at ${id} could be`);
  return (await actorsOnce(scope, named)).map((actor) => [actor]);
}

/** A task that is about to be opened. */
type NewTask = Pick<TaskRow, 'id' | 'actors' | 'delegatedActors'>;

/** Opens the tasks of the node that a workflow has come to. */
async function openTasks(scope: Scope, workflow: WorkflowRow, { node }: Progress): Promise<NewTask[]> {
  const { task } = node;
  if (!task) return [];
  const now = new Date();
  const lists = await actorsOfTasks(scope, { ...node, task }, workflow);
  const tasks = lists.map((actors) => ({ id: uuid(), actors, delegatedActors: [] }));
  const due = dueOf(task, workflow.variables, now);
  const { db, options } = scope;
  const rows = JSON.stringify(tasks.map(({ id, actors }) => ({ id, actors })));
  await db.query(openQuery, [options.repository, workflow.id, node.id, now.toISOString(), due, rows]);
  return tasks;
}

/**
 * Brings a workflow that is held to where it has come: its tasks, what their actors may do, and what is done on the way.
 * @param closed tasks of before, which are closed already.
 * @param events what the audit is to tell besides, first.
 */
export async function settle(
  scope: Scope,
  { workflow: before, documents }: Pick<HeldWorkflow, 'workflow' | 'documents'>,
  {
    progress,
    closed = [],
    events = [],
  }: {
    progress: Progress;
    closed?: readonly TaskRow[];
    events?: readonly Event[];
  },
): Promise<WorkflowRow> {
  const { node, variables, deeds } = progress;
  const state = isEnd(node) ? ('done' as const) : ('running' as const);
  const workflow = { ...before, state, node: node.id, variables };
  await saveWorkflow(scope, workflow);
  const opened = await openTasks(scope, workflow, progress);
  const server = asServer(scope);
  const permission = node.task?.permission;
  await changeRights(server, workflow.documentIds, [
    ...closed.map(noRightsOf),
    ...(permission === undefined ? [] : opened.map((task) => rightsOf(task, permission))),
  ]);
  await doAll(server, workflow, deeds);
  const held = { workflow, documents };
  await record(scope, [
    ...events,
    ...opened.flatMap((task) =>
      routing(held, 'afterWorkflowTaskCreated', {
        ...{ comment: node.task?.name, taskId: task.id, taskName: node.task?.name },
        taskActors: task.actors,
      }),
    ),
    ...(state === 'done' ? routing(held, 'afterWorkflowFinish') : []),
  ]);
  return workflow;
}
