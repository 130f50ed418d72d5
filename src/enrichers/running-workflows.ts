import { Workflow } from '../graphql/builder.ts';
import { readPermissionFor } from '../loaders/acls/access.ts';
import type { DocumentRow } from '../loaders/documents/document-row.ts';
import type { Enricher } from './enricher.ts';

const page = { pageSize: 100, offset: 0 };

export const runningWorkflowsEnricher: Enricher<DocumentRow> = {
  name: 'runningWorkflows',
  field: (t) =>
    t.field({
      type: [Workflow],
      description: 'The workflows on the document, latest first: at most 100.',
      resolve: async (row, _, { load }) => {
        if (!(await load.access.may(row, readPermissionFor(row)))) return [];
        return [...(await load.workflows({}, page, row.id)).rows];
      },
    }),
  select: ({ workflow }) => workflow,
};
