import type { Context } from '../../loaders/context.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { loadReadable } from '../../loaders/documents/documents.ts';
import type { TaskRow } from '../../loaders/workflows/tasks.ts';
import { taskTexts } from '../../model/workflows/task-texts.ts';
import type { Using } from '../../scope.ts';

const shown = (
  task: TaskRow,
  documents: ReadonlyMap<string, DocumentRow>,
  { services: { model } }: Using<'model'>,
) => {
  const definition = model.workflows.get(task.workflow.model)?.nodes.get(task.node)?.task;
  const texts = definition && taskTexts(definition, task.workflow.variables);
  const docref = task.workflow.documentIds[0] ?? null;
  return {
    id: task.id,
    docref,
    name: texts?.name ?? task.node,
    taskName: task.node,
    directive: texts?.directive ?? null,
    comment: task.comments.at(-1)?.text ?? '',
    documentTitle: documents.get(docref ?? '')?.title ?? null,
    dueDate: task.dueAt?.toISOString() ?? null,
    startDate: task.createdAt.toISOString(),
    expired: task.dueAt !== null && task.dueAt.getTime() < Date.now(),
  };
};

/**
 * Returns tasks as JSON, each with its first document. The title of the document is null if the caller cannot read
 * it.
 */
export async function shownTasks(context: Context, tasks: readonly TaskRow[]): Promise<unknown[]> {
  const ids = new Set(tasks.flatMap(({ workflow }) => workflow.documentIds.slice(0, 1)));
  const documents = await loadReadable(context.load.documentById, [...ids]);
  const byId = new Map(documents.map((row) => [row.id, row]));
  return tasks.map((task) => shown(task, byId, context));
}
