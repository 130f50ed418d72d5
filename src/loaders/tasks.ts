import type DataLoader from 'dataloader';
import { quickForFew } from '../db/quick.ts';
import { isUuid } from '../model/names.ts';
import type { Principal, Scope } from '../scope.ts';
import { byPossibleKey } from './batch.ts';
import { pagesOf } from './listed.ts';
import { type WorkflowRow, workflowJson } from './workflows.ts';

/** What somebody said of a task. */
export interface TaskComment {
  readonly author: string;
  readonly text: string;
  /** A W3C date-time. */
  readonly date: string;
}

/** What a workflow asks somebody to do (§2.6). */
export interface TaskRow {
  readonly id: string;
  /** The node of the model that it is of. */
  readonly node: string;
  readonly state: 'opened' | 'ended' | 'cancelled';
  /** `user:NAME` and `group:NAME`. */
  readonly actors: readonly string[];
  readonly delegatedActors: readonly string[];
  readonly comments: readonly TaskComment[];
  readonly createdAt: Date;
  readonly dueAt: Date | null;
  /** As it is now. */
  readonly workflow: WorkflowRow;
}

const columns = {
  id: 't.id',
  node: 't.node',
  state: 't.state',
  actors: 't.actors',
  delegatedActors: 't.delegated_actors',
  comments: 't.comments',
  createdAt: 't.created_at',
  dueAt: 't.due_at',
  workflow: workflowJson,
} as const satisfies Record<keyof TaskRow, string>;

/** All of a task `t` of a workflow `w`, as a SELECT names it. */
export const taskColumns = Object.entries(columns)
  .map(([name, column]) => `${column} AS "${name}"`)
  .join(', ');

/** Tasks, each with its workflow. */
export const tasksFrom = 'task t JOIN workflow w ON w.repository = t.repository AND w.id = t.workflow_id';

const byId = quickForFew({
  name: 'tasks-by-id',
  text: `SELECT ${taskColumns} FROM ${tasksFrom} WHERE t.repository = $1 AND t.id = ANY($2::uuid[])`,
});

/** Tasks by id, whoever may see them. */
export const taskById = ({ db, options }: Scope): DataLoader<string, TaskRow | null> =>
  byPossibleKey(
    isUuid,
    (ids) => db.query<TaskRow>(byId(ids), [options.repository, ids]),
    ({ id }) => id,
  );

/** The names under which somebody is an actor. */
export const actorNames = ({ id, groups }: Pick<Principal, 'id' | 'groups'>): string[] => [
  `user:${id}`,
  ...groups.map((group) => `group:${group}`),
];

/** Whether a task is somebody's to end. */
export const isActor = (
  { actors, delegatedActors }: Pick<TaskRow, 'actors' | 'delegatedActors'>,
  user: Pick<Principal, 'id' | 'groups'>,
): boolean => {
  const names = new Set(actorNames(user));
  return [...actors, ...delegatedActors].some((actor) => names.has(actor));
};

const isOf = (names: string): string =>
  `(t.actors && ${names}::text[] OR t.delegated_actors && ${names}::text[])`;

/** What the list of open tasks can be narrowed by. */
export interface TaskFilter {
  /** Names of actors, one of whom may end it. */
  readonly actors: readonly string[];
  /** Who sees it: the names of an actor, who also may be the initiator of the workflow. */
  readonly seenBy: readonly string[];
  readonly workflow: string;
  readonly model: string;
}

/** Pages of open tasks, those that are due first first. */
export const tasks = pagesOf<TaskFilter, TaskRow>({
  name: 'task-page',
  columns: taskColumns,
  from: tasksFrom,
  where: "t.repository = $1 AND t.state = 'opened'",
  ofDocument: `EXISTS (
    SELECT FROM workflow_document x
    WHERE x.repository = $1 AND x.workflow_id = t.workflow_id AND x.document_id = s.id::uuid
  )`,
  order: 't.due_at NULLS LAST, t.created_at, t.id',
  conditions: {
    actors: isOf,
    seenBy: (names) => `(${isOf(names)} OR 'user:' || w.initiator = ANY(${names}::text[]))`,
    workflow: (id) => `t.workflow_id = ${id}::uuid`,
    model: (name) => `w.model = ${name}::text`,
  },
});
