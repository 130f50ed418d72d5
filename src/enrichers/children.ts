import { DocumentList } from '../graphql/builder.ts';
import type { DocumentRow } from '../loaders/documents/document-row.ts';
import { primeDocuments } from '../loaders/documents/documents.ts';
import { maxPageSize } from '../loaders/lists/page.ts';
import { call } from '../selection/selection.ts';
import type { Enricher } from './enricher.ts';

const firstPage = {
  offset: 0,
  maxResults: undefined,
  sortBy: [],
  sortOrder: [],
  isUnfiltered: true,
  hasSharedLimit: true,
};

export const childrenEnricher: Enricher<DocumentRow> = {
  name: 'children',
  field: (t) =>
    t.field({
      type: DocumentList,
      description: 'The children that the caller may read, including hidden and trashed ones.',
      args: { most: t.arg.int({ defaultValue: 50, description: 'At most 1000.' }) },
      complexity: ({ most }) => ({ field: 1, multiplier: Math.max(1, Math.min(most ?? 50, maxPageSize)) }),
      resolve: async (row, { most }, { load }) => {
        const pageSize = Math.max(1, most ?? 50);
        const { rows, total } = await load.children(row, { ...firstPage, pageSize });
        const entries = primeDocuments(load.documentById, rows);
        return { entries, ...(total > entries.length && { resultsCount: total }) };
      },
    }),
  select: ({ documents, maxDocuments }) => call({ most: maxDocuments }, documents),
};
