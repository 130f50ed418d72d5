import { DocumentList } from '../graphql/builder.ts';
import type { DocumentRow } from '../loaders/documents/document-row.ts';
import { primeDocuments } from '../loaders/documents/documents.ts';
import { maxPageSize } from '../loaders/lists/page.ts';
import { call } from '../selection/selection.ts';
import { type Enricher, mostArgument, mostOf } from './enricher.ts';

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
      args: { most: t.arg.int(mostArgument) },
      complexity: ({ most }) => ({ field: 1, multiplier: Math.min(mostOf(most), maxPageSize) }),
      resolve: async (row, { most }, { load }) => {
        const pageSize = mostOf(most);
        const { rows, total } = await load.children(row, { ...firstPage, pageSize });
        const entries = primeDocuments(load.documentById, rows);
        return { entries, ...(total > entries.length && { resultsCount: total }) };
      },
    }),
  select: ({ documents, maxDocuments }) => call({ most: maxDocuments }, documents),
};
