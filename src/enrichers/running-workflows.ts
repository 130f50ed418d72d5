import { Workflow } from '../graphql/builder.ts';
import { readPermissionFor } from '../loaders/acls/access.ts';
import type { DocumentRow } from '../loaders/documents/document-row.ts';
import { actorNames } from '../loaders/workflows/tasks.ts';
import type { Enricher } from './enricher.ts';

const page = { pageSize: 100, offset: 0 };

/**
 * The running workflows on a document (§4.9, §5). Administrators see all of them; other users see those that they
 * started or in which they have or had a task.
 */

export const runningWorkflowsEnricher: Enricher<DocumentRow> = {
  name: 'runningWorkflows',
  field: (t) =>
    t.field({
      type: [Workflow],
      description:
        'The running workflows on the document, newest first, at most 100. Administrators see all of them; other users see those that they started or in which they have or had a task.',
      resolve: async (row, _, { load, user }) => {
        if (!(await load.access.may(row, readPermissionFor(row)))) return [];
        const filter = user.isAdministrator ? {} : { concerning: actorNames(user) };
        return [...(await load.workflows(filter, page, row.id)).rows];
      },
    }),
  select: ({ workflow }) => workflow,
};
