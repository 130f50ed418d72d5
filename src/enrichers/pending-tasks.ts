import { Task } from '../graphql/builder.ts';
import { readPermissionFor } from '../loaders/acls/access.ts';
import type { DocumentRow } from '../loaders/documents/document-row.ts';
import { actorNames } from '../loaders/workflows/tasks.ts';
import type { Enricher } from './enricher.ts';

const page = { pageSize: 100, offset: 0 };

export const pendingTasksEnricher: Enricher<DocumentRow> = {
  name: 'pendingTasks',
  field: (t) =>
    t.field({
      type: [Task],
      description: "The caller's open tasks for the document, sorted by due date; at most 100.",
      resolve: async (row, _, { load, user }) => {
        if (!(await load.access.may(row, readPermissionFor(row)))) return [];
        return [...(await load.tasks({ actors: actorNames(user) }, page, row.id)).rows];
      },
    }),
  select: ({ task }) => task,
};
