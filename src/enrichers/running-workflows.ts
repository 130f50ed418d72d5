import { Workflow } from '../graphql/builder.ts';
import { readPermissionFor } from '../loaders/acls/access.ts';
import type { DocumentRow } from '../loaders/documents/document-row.ts';
import { actorNames } from '../loaders/workflows/tasks.ts';
import type { Enricher } from './enricher.ts';

const page = { pageSize: 100, offset: 0 };

/** §4.9, §5: the workflows on a document that the caller started, or has or had a task in; all for administrators. */

export const runningWorkflowsEnricher: Enricher<DocumentRow> = {
  name: 'runningWorkflows',
  field: (t) =>
    t.field({
      type: [Workflow],
      description:
        'The running workflows on the document that the caller started, or has or had a task in; all for administrators. The latest first, at most 100.',
      resolve: async (row, _, { load, user }) => {
        if (!(await load.access.may(row, readPermissionFor(row)))) return [];
        const filter = user.isAdministrator ? {} : { concerning: actorNames(user) };
        return [...(await load.workflows(filter, page, row.id)).rows];
      },
    }),
  select: ({ workflow }) => workflow,
};
