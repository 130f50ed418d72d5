import type DataLoader from 'dataloader';
import { modelColumns, typed } from '../../db/columns.ts';
import { statement } from '../../db/statement.ts';
import type { Scope } from '../../scope.ts';
import { listBatchLoader } from '../batch.ts';
import type { TaskRow } from './tasks.ts';

/** The maximum number of tasks that are read for a node of a workflow, which can return to the node any number of times. */
const maxTasks = 50;

/** A task of a workflow, with the actors who see it. */
export interface NodeTask extends Pick<TaskRow, 'node' | 'actors' | 'delegatedActors'> {
  readonly workflowId: string;
  readonly state: 'opened' | 'ended';
}

const find = statement('tasks-of-nodes', {
  ...modelColumns('Task', 'workflowId', 'node', 'actors', 'delegatedActors'),
  state: typed<NodeTask['state']>('text'),
})`
  SELECT workflow_id AS "workflowId", node, actors, delegated_actors AS "delegatedActors", state FROM (
    SELECT t.*, row_number() OVER (PARTITION BY t.workflow_id, t.node ORDER BY t.created_at DESC, t.id DESC) AS number
    FROM task t
    WHERE t.repository = $1 AND t.workflow_id = ANY($2::uuid[]) AND t.state <> 'cancelled'
  ) t WHERE number <= ${maxTasks} ORDER BY number DESC`;

/** Returns a loader for the latest open and ended tasks at each node of a workflow, the oldest first. */
export const nodeTasks = ({ db, options }: Scope): DataLoader<string, readonly NodeTask[]> =>
  listBatchLoader<string, NodeTask>(
    (ids) => db.query(find, [options.repository, ids]),
    ({ workflowId }) => workflowId,
  );
