import type DataLoader from 'dataloader';
import { modelColumns, typed } from '../../db/columns.ts';
import { statement } from '../../db/statement.ts';
import type { StoredProperties } from '../../model/values/stored.ts';
import { descending } from '../../query/order-sql.ts';
import type { Scope } from '../../scope.ts';
import { quickForFewKeys, uuidBatchLoader } from '../batch.ts';
import { defineList } from '../lists/list-loader.ts';

/** A workflow instance (§2.6). */
export interface WorkflowRow {
  readonly id: string;
  readonly model: string;
  readonly initiator: string;
  readonly state: 'running' | 'done' | 'canceled';
  readonly node: string;
  /** The nodes that the workflow has left, without duplicates. */
  readonly passed: readonly string[];
  readonly variables: StoredProperties;
  /** The ids of the attached documents, whether or not the caller can read them. */
  readonly documentIds: readonly string[];
}

/** A workflow instance, or a workflow model that is shown in the same way. */
export interface WorkflowShape extends Omit<WorkflowRow, 'initiator' | 'state' | 'node'> {
  readonly initiator: string | null;
  readonly state: WorkflowRow['state'] | 'validated';
  /** The current node; null for a model. */
  readonly node: string | null;
}

const documentIds = `ARRAY(
  SELECT x.document_id FROM workflow_document x
  WHERE x.repository = w.repository AND x.workflow_id = w.id ORDER BY x.position, x.document_id
)`;

const columns = {
  id: 'w.id',
  model: 'w.model',
  initiator: 'w.initiator',
  state: 'w.state',
  node: 'w.node',
  passed: 'w.passed',
  variables: 'w.variables',
  documentIds,
} as const satisfies Record<keyof WorkflowRow, string>;

/** The types of the columns in `workflowColumns`. */
export const workflowRow = {
  ...modelColumns('Workflow', 'id', 'model', 'initiator', 'node', 'passed'),
  state: typed<WorkflowRow['state']>('text'),
  variables: typed<StoredProperties>('jsonb'),
  documentIds: 'uuid[]',
} as const;

export const workflowColumns = Object.entries(columns)
  .map(([name, column]) => `${column} AS "${name}"`)
  .join(', ');

export const workflowJson = `json_build_object(${Object.entries(columns)
  .map(([name, column]) => `'${name}', ${column}`)
  .join(', ')})`;

const byId = quickForFewKeys(statement('workflows-by-id', workflowRow)`
  SELECT ${workflowColumns} FROM workflow w WHERE w.repository = $1 AND w.id = ANY($2::uuid[])`);

/** Returns a loader for workflow instances by id, without checking permissions. */
export const workflowById = ({ db, options }: Scope): DataLoader<string, WorkflowRow | null> =>
  uuidBatchLoader((ids) => db.query(byId(ids), [options.repository, ids]));

/** SQL condition that is true if a document is attached to a workflow `w`. */
export const isAbout = (equals: string): string => `EXISTS (
  SELECT FROM workflow_document x
  WHERE x.repository = $1 AND x.workflow_id = w.id AND x.document_id ${equals}
)`;

/** SQL condition that is true if a task `t` is assigned or delegated to one of the given actors. */
export const isOf = (names: string): string =>
  `(t.actors && ${names}::text[] OR t.delegated_actors && ${names}::text[])`;

interface WorkflowFilter {
  readonly initiator: string;
  /**
   * Names of actors; matches workflows that one of them started, and workflows that have an open or completed task for
   * one of them.
   */
  readonly concerning: readonly string[];
  readonly model: string;
}

/** Reads pages of running workflows, newest first. */
export const runningWorkflowPages = defineList<WorkflowFilter, WorkflowRow>({
  name: 'running-workflows',
  columns: workflowColumns,
  row: workflowRow,
  from: 'workflow w',
  where: "w.repository = $1 AND w.state = 'running'",
  ofKey: isAbout,
  order: [descending('w.created_at', 'timestamptz')],
  tieBreak: descending('w.id', 'uuid'),
  filters: {
    concerning: (names) => `('user:' || w.initiator = ANY(${names}::text[]) OR EXISTS (
      SELECT FROM task t WHERE t.repository = w.repository AND t.workflow_id = w.id AND ${isOf(names)}
    ))`,
    initiator: (value) => `w.initiator = ${value}::text`,
    model: (value) => `w.model = ${value}::text`,
  },
});
