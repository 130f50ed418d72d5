import { v7 as uuid } from 'uuid';
import { statement } from '../../db/statement.ts';
import { Invalid } from '../../errors.ts';
import { requirePermissions } from '../../loaders/acls/access.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { WorkflowRow } from '../../loaders/workflows/workflows.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import { initialProgress } from '../../model/workflows/progress.ts';
import { startObstacle } from '../../model/workflows/runnable.ts';
import type { WorkflowModel } from '../../model/workflows/workflow-model.ts';
import type { Scope } from '../../scope.ts';
import { lockWithAncestors } from '../row-locks/lock-with-ancestors.ts';
import { advanceWorkflow } from './advance-workflow.ts';
import { routingEvents } from './routing.ts';
import { firstVariables, withVariables } from './variables.ts';

export interface NewWorkflow {
  readonly model: string;
  readonly documents: readonly DocumentReference[];
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** Each document of a workflow costs statements of its own. */
const mostDocuments = 100;

const insertQuery = statement('insert-workflow')`
  WITH made AS (
    INSERT INTO workflow (repository, id, model, initiator, node) VALUES ($1, $2::uuid, $3, $4, $5)
  )
  INSERT INTO workflow_document (repository, workflow_id, document_id, position)
  SELECT $1, $2::uuid, d.id, d.position FROM unnest($6::uuid[]) WITH ORDINALITY AS d (id, position)`;

/** Locks the documents of the workflow. @throws NotFound, Forbidden, Invalid */
async function attach(
  scope: Scope,
  { documents: references }: NewWorkflow,
  model: WorkflowModel,
): Promise<DocumentRow[]> {
  if (references.length > mostDocuments)
    throw new Invalid(`attachedDocumentIds: ${references.length} documents, at most ${mostDocuments}`);
  if (references.length === 0) return [];
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
 * Starts a workflow on documents, or about nothing (§4.7).
 * @throws NotFound without one of the documents, Forbidden without ReadWrite on each; Invalid when there is
 * no such model, when it cannot be started on one of them, and on variables with a fault; Unprocessable on
 * values that break constraints.
 */
export async function startWorkflow(scope: Scope, wanted: NewWorkflow): Promise<WorkflowRow> {
  const { db, options, user } = scope;
  const model = scope.model.workflows.get(wanted.model);
  if (!model) throw new Invalid(`workflowModelName: No route found for id: ${wanted.model}`);
  const documents = await attach(scope, wanted, model);
  const variables = await withVariables(scope, model, {
    current: firstVariables(model),
    json: wanted.variables ?? {},
    may: (name) => !model.keeps.has(name),
  });
  const progress = initialProgress(model, variables);
  const workflow: WorkflowRow = {
    id: uuid(),
    model: model.name,
    initiator: user.id,
    state: 'running',
    node: progress.node.id,
    variables,
    documentIds: documents.map(({ id }) => id),
  };
  const { id, node, documentIds } = workflow;
  await db.query(insertQuery, [options.repository, id, model.name, user.id, node, documentIds]);
  const events = routingEvents({ workflow, documents }, 'afterWorkflowStarted');
  return advanceWorkflow(scope, { workflow, documents }, { progress, events });
}
