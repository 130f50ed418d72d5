import { Invalid } from '../../errors.ts';
import type { WorkflowRow } from '../../loaders/workflows/workflows.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import { singleTask } from '../../model/workflows/single-task.ts';
import type { Scope } from '../../scope.ts';
import { workflowModelOf } from './find-workflow.ts';
import { startModel } from './start-workflow.ts';

/** A task about a document. */
interface NewTask {
  readonly document: DocumentReference;
  /** The first comment of the task. */
  readonly comment: string | undefined;
  /** Values of variables, named as in the schema `var_SingleTask`. */
  readonly variables: Readonly<Record<string, unknown>> & { readonly participants: readonly string[] };
}

/**
 * Creates a task about a document, in a separate workflow.
 * @throws NotFound; Forbidden without ReadWrite; Invalid if there are no actors, an actor is unknown, or no workflow
 * can be started on the document
 */
export function createTask(scope: Scope, { document, comment, variables }: NewTask): Promise<WorkflowRow> {
  if (variables.participants.length === 0) throw new Invalid('A task needs at least one actor.');
  const model = workflowModelOf(scope, { model: singleTask.name });
  return startModel(scope, model, { documents: [document], comment, variables });
}
