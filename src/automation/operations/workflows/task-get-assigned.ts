import type { Context } from '../../../loaders/context.ts';
import type { DocumentRow } from '../../../loaders/documents/document-row.ts';
import { loadReadable } from '../../../loaders/documents/documents.ts';
import { maxPageSize } from '../../../loaders/lists/page.ts';
import { actorNames, type TaskRow } from '../../../loaders/workflows/tasks.ts';
import { operation } from '../../operation.ts';

/** A task with its first document; `documentTitle` is null where the caller may not read that. */
const shown = (
  task: TaskRow,
  documents: ReadonlyMap<string, DocumentRow>,
  { model }: Pick<Context, 'model'>,
) => {
  const described = model.workflows.get(task.workflow.model)?.nodes.get(task.node)?.task;
  const docref = task.workflow.documentIds[0] ?? null;
  return {
    id: task.id,
    docref,
    name: described?.name ?? task.node,
    taskName: task.node,
    directive: described?.directive ?? null,
    comment: task.comments.at(-1)?.text ?? '',
    documentTitle: documents.get(docref ?? '')?.title ?? null,
    dueDate: task.dueAt?.toISOString() ?? null,
    startDate: task.createdAt.toISOString(),
    expired: task.dueAt !== null && task.dueAt.getTime() < Date.now(),
  };
};

async function assigned({ load, user, model }: Context): Promise<unknown[]> {
  const page = { pageSize: maxPageSize, offset: 0 };
  const { rows } = await load.tasks({ actors: actorNames(user) }, page);
  const ids = new Set(rows.flatMap(({ workflow }) => workflow.documentIds.slice(0, 1)));
  const documents = await loadReadable(load.documentById, [...ids]);
  const byId = new Map(documents.map((row) => [row.id, row]));
  return rows.map((task) => shown(task, byId, { model }));
}

export const taskGetAssigned = operation({
  id: 'Task.GetAssigned',
  aliases: ['Workflow.GetTask'],
  label: 'Get user tasks',
  category: 'Workflow Context',
  description: 'Returns the open tasks that the caller may end, by due date, as JSON; at most 1000.',
  gives: 'json',
  run: (context) => assigned(context),
});
