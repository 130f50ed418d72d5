import type { Query } from '../../db/database.ts';
import { Conflict, NotFound } from '../../errors.ts';
import type { DocumentRow } from '../../loaders/document-row.ts';
import { type TaskRow, taskColumns, tasksFrom } from '../../loaders/tasks.ts';
import { type WorkflowRow, workflowColumns } from '../../loaders/workflows.ts';
import { isUuid } from '../../model/names.ts';
import type { WorkflowModel } from '../../model/workflows/workflow-model.ts';
import { administrator, type Scope } from '../../scope.ts';
import type { Event } from '../audit.ts';
import { holdInOrder } from '../hold-in-order.ts';

const findQuery: Query = {
  name: 'find-workflow',
  text: `SELECT ${workflowColumns} FROM workflow w WHERE w.repository = $1 AND w.id = $2::uuid`,
};

const holdQuery: Query = { name: 'hold-workflow', text: `${findQuery.text} FOR UPDATE OF w` };

const openQuery: Query = {
  name: 'open-tasks-of-workflow',
  text: `
    SELECT ${taskColumns} FROM ${tasksFrom}
    WHERE t.repository = $1 AND t.workflow_id = $2::uuid AND t.state = 'opened' ORDER BY t.created_at, t.id`,
};

const taskQuery: Query = {
  name: 'find-task',
  text: `SELECT ${taskColumns} FROM ${tasksFrom} WHERE t.repository = $1 AND t.id = $2::uuid`,
};

/** A workflow that nobody else works on until the transaction ends, nor on its documents. */
export interface HeldWorkflow {
  readonly workflow: WorkflowRow;
  readonly open: readonly TaskRow[];
  readonly documents: readonly DocumentRow[];
}

async function first<Row>({ db, options }: Scope, query: Query, id: string): Promise<Row | undefined> {
  return isUuid(id) ? (await db.query<Row>(query, [options.repository, id]))[0] : undefined;
}

/** A task, whoever may see it; nothing is held. @throws NotFound */
export async function findTask(scope: Scope, id: string): Promise<TaskRow> {
  const task = await first<TaskRow>(scope, taskQuery, id);
  if (!task) throw new NotFound(`there is no task ${id}`);
  return task;
}

/** A workflow, whoever may see it; nothing is held. @throws NotFound */
export async function findWorkflow(scope: Scope, id: string): Promise<WorkflowRow> {
  const workflow = await first<WorkflowRow>(scope, findQuery, id);
  if (!workflow) throw new NotFound(`Can not get workflow instance with id: ${id}, there is none`);
  return workflow;
}

/** @throws Conflict when the model of a workflow is not in the content model any more. */
export function modelOf(
  { model }: Pick<Scope, 'model'>,
  workflow: Pick<WorkflowRow, 'model'>,
): WorkflowModel {
  const found = model.workflows.get(workflow.model);
  if (!found) throw new Conflict(`there is no workflow model ${workflow.model} any more`);
  return found;
}

/**
 * Holds a workflow: its documents first, as whoever deletes them does.
 * @throws NotFound when it is gone; Conflict when it runs no more.
 */
export async function holdWorkflow(scope: Scope, found: WorkflowRow): Promise<HeldWorkflow> {
  const references = found.documentIds.map((id) => ({ id }));
  const { documents } = await holdInOrder(scope, references);
  const workflow = await first<WorkflowRow>(scope, holdQuery, found.id);
  if (!workflow) throw new NotFound(`there is no workflow ${found.id}`);
  if (workflow.state !== 'running') throw new Conflict(`the workflow ${workflow.id} is ${workflow.state}`);
  const open = await scope.db.query<TaskRow>(openQuery, [scope.options.repository, workflow.id]);
  return { workflow, open, documents };
}

/** Who acts for the server in the caller's name. */
export const asServer = (scope: Scope): Scope => ({ ...scope, user: administrator(scope.user.id) });

/** What the audit is to tell of a workflow: of each of its documents. */
export const routing = (
  { workflow, documents }: Pick<HeldWorkflow, 'workflow' | 'documents'>,
  eventId: string,
  { comment, ...extended }: { readonly comment?: string | null | undefined } & Record<string, unknown> = {},
): Event[] =>
  documents.map((document) => ({
    ...{ eventId, category: 'Routing', document, comment },
    extended: {
      ...{ workflowId: workflow.id, modelName: workflow.model, workflowInitiator: workflow.initiator },
      ...extended,
    },
  }));
