import { toRead } from '../loaders/access.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { actorNames } from '../loaders/tasks.ts';
import { Task } from '../schema/builder.ts';
import type { Enricher } from './enricher.ts';

/** As many as are shown. */
const page = { pageSize: 100, offset: 0 };

/** §4.9: the open tasks about the document that the caller may end, those that are due first first. */
export const pendingTasks: Enricher<DocumentRow> = {
  name: 'pendingTasks',
  field: (t) =>
    t.field({
      type: [Task],
      description: 'The open tasks about it that wait for the caller, at most 100.',
      resolve: async (row, _, { load, user }) => {
        if (!(await load.access.may(row.aclId, toRead(row)))) return [];
        return [...(await load.tasks({ actors: actorNames(user) }, page, row.id)).rows];
      },
    }),
  select: ({ task }) => task,
};
