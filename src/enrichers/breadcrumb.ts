import type { DocumentRow } from '../loaders/document-row.ts';
import { readableOf } from '../loaders/documents.ts';
import { DocumentList } from '../schema/builder.ts';
import type { Enricher } from './enricher.ts';

/** §4.9: the ancestors that the caller may read, the root first, without the document itself. */
export const breadcrumb: Enricher<DocumentRow> = {
  name: 'breadcrumb',
  field: (t) =>
    t.field({
      type: DocumentList,
      description: 'The ancestors that the caller may read, the root first.',
      complexity: { field: 1, multiplier: 10 },
      resolve: async ({ ancestorIds }, _, { load }) => ({
        entries: await readableOf(load.documentById, ancestorIds),
      }),
    }),
  select: ({ documents }) => documents,
};
