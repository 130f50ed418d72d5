import type DataLoader from 'dataloader';
import { modelColumns, typed } from '../../db/columns.ts';
import { statement } from '../../db/statement.ts';
import { ascending } from '../../query/order-sql.ts';
import type { Scope } from '../../scope.ts';
import type { Principal } from '../../security/principal.ts';
import { quickForFewKeys, uuidBatchLoader } from '../batch.ts';
import { defineList } from '../lists/list-loader.ts';
import { isAbout, isOf, type WorkflowRow, workflowJson } from './workflows.ts';

export type TaskComment = {
  readonly author: string;
  readonly text: string;
  readonly date: string;
};

/** A task of a workflow (§2.6). */
export interface TaskRow {
  readonly id: string;
  readonly node: string;
  readonly state: 'opened' | 'ended' | 'cancelled';
  /** The assigned users and groups, as `user:NAME` and `group:NAME`. */
  readonly actors: readonly string[];
  readonly delegatedActors: readonly string[];
  readonly comments: readonly TaskComment[];
  readonly createdAt: Date;
  readonly dueAt: Date | null;
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

/** The types of the columns in `taskColumns`. */
export const taskRow = {
  ...modelColumns('Task', 'id', 'node', 'actors', 'delegatedActors', 'createdAt', 'dueAt'),
  state: typed<TaskRow['state']>('text'),
  comments: typed<TaskRow['comments']>('jsonb'),
  workflow: typed<WorkflowRow>('json'),
};

export const taskColumns = Object.entries(columns)
  .map(([name, column]) => `${column} AS "${name}"`)
  .join(', ');

export const tasksFromClause =
  'task t JOIN workflow w ON w.repository = t.repository AND w.id = t.workflow_id';

const byId = quickForFewKeys(statement('tasks-by-id', taskRow)`
  SELECT ${taskColumns} FROM ${tasksFromClause} WHERE t.repository = $1 AND t.id = ANY($2::uuid[])`);

/** Returns a loader for tasks by id, without checking permissions. */
export const taskById = ({ db, options }: Scope): DataLoader<string, TaskRow | null> =>
  uuidBatchLoader((ids) => db.query(byId(ids), [options.repository, ids]));

export const actorNames = ({ id, groups }: Pick<Principal, 'id' | 'groups'>): string[] => [
  `user:${id}`,
  ...groups.map((group) => `group:${group}`),
];

/** Expands each name without a prefix to a user and a group, because it can mean either. */
export const namesOfActors = (actors: readonly string[]): string[] =>
  actors.flatMap((actor) => (/^(?:user|group):/.test(actor) ? [actor] : [`user:${actor}`, `group:${actor}`]));

/** Whether a user is an actor or a delegate of a task and is therefore allowed to complete it. */
export const isActor = (
  { actors, delegatedActors }: Pick<TaskRow, 'actors' | 'delegatedActors'>,
  user: Pick<Principal, 'id' | 'groups'>,
): boolean => {
  const names = new Set(actorNames(user));
  return [...actors, ...delegatedActors].some((actor) => names.has(actor));
};

export interface TaskFilter {
  /** Matches tasks that one of these actors is allowed to complete. */
  readonly actors: readonly string[];
  /** Matches tasks that are assigned to one of these actors rather than delegated to them. */
  readonly assigned: readonly string[];
  /**
   * Matches tasks that are assigned or delegated to one of these actors, and tasks in workflows that one of them
   * initiated.
   */
  readonly visibleTo: readonly string[];
  readonly workflow: string;
  readonly model: string;
  readonly node: string;
}

/** Reads pages of open tasks, ordered by due date. */
export const openTaskPages = defineList<TaskFilter, TaskRow>({
  name: 'open-tasks',
  columns: taskColumns,
  row: taskRow,
  from: tasksFromClause,
  where: "t.repository = $1 AND t.state = 'opened'",
  ofKey: isAbout,
  order: [
    ascending('t.due_at', 'timestamptz', { isNullable: true }),
    ascending('t.created_at', 'timestamptz'),
  ],
  tieBreak: ascending('t.id', 'uuid'),
  filters: {
    actors: isOf,
    assigned: (names) => `t.actors && ${names}::text[]`,
    visibleTo: (names) => `(${isOf(names)} OR 'user:' || w.initiator = ANY(${names}::text[]))`,
    workflow: (id) => `t.workflow_id = ${id}::uuid`,
    model: (name) => `w.model = ${name}::text`,
    node: (name) => `t.node = ${name}::text`,
  },
});
