import { toRead } from '../loaders/access.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { Workflow } from '../schema/builder.ts';
import type { Enricher } from './enricher.ts';

/** As many as are shown. */
const page = { pageSize: 100, offset: 0 };

/** §4.9: the workflows that run on the document, the last one first; whoever may read it may see them. */
export const runningWorkflows: Enricher<DocumentRow> = {
  name: 'runningWorkflows',
  field: (t) =>
    t.field({
      type: [Workflow],
      description: 'What runs on it, at most 100.',
      resolve: async (row, _, { load }) => {
        if (!(await load.access.may(row.aclId, toRead(row)))) return [];
        return [...(await load.workflows({}, page, row.id)).rows];
      },
    }),
  select: ({ workflow }) => workflow,
};
