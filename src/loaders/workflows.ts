import type DataLoader from 'dataloader';
import { quickForFew } from '../db/quick.ts';
import { isUuid } from '../model/names.ts';
import type { StoredProperties } from '../model/stored.ts';
import type { Scope } from '../scope.ts';
import { byPossibleKey } from './batch.ts';
import { pagesOf } from './listed.ts';

/** A workflow that somebody started (§2.6). */
export interface WorkflowRow {
  readonly id: string;
  /** The name of its model. */
  readonly model: string;
  readonly initiator: string;
  readonly state: 'running' | 'done' | 'canceled';
  /** The node of the model that it stands at. */
  readonly node: string;
  /** By name. */
  readonly variables: StoredProperties;
  /** The attached documents, whoever may read them. */
  readonly documentIds: readonly string[];
}

/** The documents of a workflow `w`, in order. */
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
  variables: 'w.variables',
  documentIds,
} as const satisfies Record<keyof WorkflowRow, string>;

/** All of a workflow `w`, as a SELECT names it. */
export const workflowColumns = Object.entries(columns)
  .map(([name, column]) => `${column} AS "${name}"`)
  .join(', ');

/** The same as one JSON value. */
export const workflowJson = `json_build_object(${Object.entries(columns)
  .map(([name, column]) => `'${name}', ${column}`)
  .join(', ')})`;

const byId = quickForFew({
  name: 'workflows-by-id',
  text: `SELECT ${workflowColumns} FROM workflow w WHERE w.repository = $1 AND w.id = ANY($2::uuid[])`,
});

/** Workflows by id, whoever may see them. */
export const workflowById = ({ db, options }: Scope): DataLoader<string, WorkflowRow | null> =>
  byPossibleKey(
    isUuid,
    (ids) => db.query<WorkflowRow>(byId(ids), [options.repository, ids]),
    ({ id }) => id,
  );

/** What the list of running workflows can be narrowed by. */
export interface WorkflowFilter {
  readonly initiator: string;
  readonly model: string;
}

/** Pages of running workflows, the last one first. */
export const workflows = pagesOf<WorkflowFilter, WorkflowRow>({
  name: 'workflow-page',
  columns: workflowColumns,
  from: 'workflow w',
  where: "w.repository = $1 AND w.state = 'running'",
  ofDocument: `EXISTS (
    SELECT FROM workflow_document x
    WHERE x.repository = $1 AND x.workflow_id = w.id AND x.document_id = s.id::uuid
  )`,
  order: 'w.created_at DESC, w.id',
  conditions: {
    initiator: (value) => `w.initiator = ${value}::text`,
    model: (value) => `w.model = ${value}::text`,
  },
});
