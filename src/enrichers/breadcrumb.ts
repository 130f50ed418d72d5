import { DocumentList } from '../graphql/builder.ts';
import type { DocumentRow } from '../loaders/documents/document-row.ts';
import { loadReadable } from '../loaders/documents/documents.ts';
import type { Enricher } from './enricher.ts';

export const breadcrumbEnricher: Enricher<DocumentRow> = {
  name: 'breadcrumb',
  field: (t) =>
    t.field({
      type: DocumentList,
      description: 'The ancestors that the caller may read, root first.',
      complexity: { field: 1, multiplier: 10 },
      resolve: async ({ ancestorIds }, _, { load }) => ({
        entries: await loadReadable(load.documentById, ancestorIds),
      }),
    }),
  select: ({ documents }) => documents,
};
