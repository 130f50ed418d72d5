import { v7 as uuid } from 'uuid';
import { statement } from '../../db/statement.ts';
import { Conflict, Invalid } from '../../errors.ts';
import { requirePermissions } from '../../loaders/acls/access.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { WorkflowRow } from '../../loaders/workflows/workflows.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import type { WorkflowModel } from '../../model/model.ts';
import { initialProgress } from '../../model/workflows/progress.ts';
import { offeredModels, startObstacle } from '../../model/workflows/runnable.ts';
import type { Scope } from '../../scope.ts';
import { requireBeforeLocks } from '../row-locks/before-locks.ts';
import { lockWithAncestors } from '../row-locks/lock-with-ancestors.ts';
import { advanceWorkflow } from './advance-workflow.ts';
import { callerComments, routingEvents } from './routing.ts';
import { firstVariables, withVariables } from './variables.ts';

/** The documents, variables and comment to start a workflow with. */
interface WorkflowStart {
  readonly documents: readonly DocumentReference[];
  readonly variables?: Readonly<Record<string, unknown>>;
  /** The caller's comment to the actors of the first tasks. */
  readonly comment?: string | undefined;
}

interface NewWorkflow extends WorkflowStart {
  readonly model: string;
}

/**
 * The maximum number of documents in a workflow. It is limited because each document requires several statements.
 */
const maxDocuments = 100;

const insertQuery = statement('insert-workflow')`
  WITH made AS (
    INSERT INTO workflow (repository, id, model, initiator, node) VALUES ($1, $2::uuid, $3, $4, $5)
  )
  INSERT INTO workflow_document (repository, workflow_id, document_id, position)
  SELECT $1, $2::uuid, d.id, d.position FROM unnest($6::uuid[]) WITH ORDINALITY AS d (id, position)`;

const runningQuery = statement('running-on-documents', { id: 'uuid' })`
  SELECT x.document_id AS id FROM workflow_document x
  JOIN workflow w ON w.repository = x.repository AND w.id = x.workflow_id
  WHERE x.repository = $1 AND x.document_id = ANY($2::uuid[]) AND w.model = $3 AND w.state = 'running' LIMIT 1`;

/**
 * Checks that no workflow of the same model is running on the documents, unless the model allows this. The documents
 * are locked, so that no other workflow can be started on them in the meantime.
 * @throws Conflict
 */
async function requireNotRunning(
  { db, options }: Scope,
  documents: readonly DocumentRow[],
  { name, runsOn }: WorkflowModel,
): Promise<void> {
  if (runsOn?.repeatedly) return;
  const ids = documents.map(({ id }) => id);
  const [running] = await db.query(runningQuery, [options.repository, ids, name]);
  const on = documents.find(({ id }) => id === running?.id);
  if (on)
    throw new Conflict(
      `${name} is already running on ${on.path}. End or cancel it before you start it again.`,
    );
}

/** Locks the documents of the workflow. @throws NotFound, Forbidden, Invalid */
async function attach(
  scope: Scope,
  { documents: references }: WorkflowStart,
  model: WorkflowModel,
): Promise<DocumentRow[]> {
  if (references.length > maxDocuments)
    throw new Invalid(`attachedDocumentIds must have at most ${maxDocuments} ids; got ${references.length}`);
  if (references.length === 0) return [];
  await requireBeforeLocks(scope, references, () => 'ReadWrite');
  const { documents } = await lockWithAncestors(scope, references);
  await requirePermissions(
    scope,
    documents.map((row) => [row, 'ReadWrite']),
  );
  for (const row of documents) {
    const reason = startObstacle(model, row);
    if (reason !== undefined) throw new Invalid(`${model.name} cannot be started on ${row.id}: ${reason}`);
  }
  return [...new Map(documents.map((row) => [row.id, row])).values()];
}

/**
 * Starts a workflow of a given model, including models that clients cannot name.
 * @param may tells which variables can be set at the start
 * @throws the errors of `startWorkflow`
 */
export async function startModel(
  scope: Scope,
  model: WorkflowModel,
  start: WorkflowStart,
  may = (_: string): boolean => true,
): Promise<WorkflowRow> {
  const { db, options, user } = scope;
  const documents = await attach(scope, start, model);
  const variables = await withVariables(scope, model, {
    current: firstVariables(model),
    json: start.variables ?? {},
    may,
  });
  await requireNotRunning(scope, documents, model);
  const progress = initialProgress(model, variables);
  const workflow: WorkflowRow = {
    id: uuid(),
    model: model.name,
    initiator: user.id,
    state: 'running',
    node: progress.node.id,
    passed: progress.passed,
    variables,
    documentIds: documents.map(({ id }) => id),
  };
  const { id, node, documentIds } = workflow;
  await db.query(insertQuery, [options.repository, id, model.name, user.id, node, documentIds]);
  const events = routingEvents(scope, { workflow, documents }, 'afterWorkflowStarted');
  const comments = callerComments(scope, start.comment);
  return advanceWorkflow(scope, { workflow, documents }, { progress, events, comments });
}

/**
 * Starts a workflow on documents, or without any (§4.7).
 * @throws NotFound if a document does not exist; Forbidden without ReadWrite on each document; Invalid if the model is
 * unknown or cannot be started on one of the documents, or for invalid variables; Conflict if a workflow of the model
 * is already running on one of the documents; Unprocessable for values that violate constraints
 */
export function startWorkflow(scope: Scope, { model: name, ...start }: NewWorkflow): Promise<WorkflowRow> {
  const model = offeredModels(scope.services.model).find((each) => each.name === name);
  if (!model) throw new Invalid(`workflowModelName: No route found for id: ${name}`);
  return startModel(scope, model, start, (each) => !model.keeps.has(each));
}
