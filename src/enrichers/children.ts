import { DocumentList } from '../graphql/builder.ts';
import type { DocumentRow } from '../loaders/documents/document-row.ts';
import { primeDocuments } from '../loaders/documents/documents.ts';
import { call } from '../selection/selection.ts';
import { type Enricher, maxLengthArgument, maxLengthOf, maxListedDocuments } from './enricher.ts';

const firstPage = {
  offset: 0,
  maxResults: undefined,
  sortBy: [],
  sortOrder: [],
  hasSharedLimit: true,
  largest: maxListedDocuments,
};

export const childrenEnricher: Enricher<DocumentRow> = {
  name: 'children',
  field: (t) =>
    t.field({
      type: DocumentList,
      description:
        'The children that `@children` lists: those that the caller can read and that are neither hidden nor trashed.',
      args: { most: t.arg.int(maxLengthArgument) },
      complexity: ({ most }) => ({ field: 1, multiplier: maxLengthOf(most) }),
      resolve: async (row, { most }, { load }) => {
        const pageSize = maxLengthOf(most);
        const { rows, total, countLimit } = await load.children(row, { ...firstPage, pageSize });
        const entries = primeDocuments(load.documentById, rows);
        return { entries, ...(total !== entries.length && { resultsCount: total, countLimit }) };
      },
    }),
  select: ({ documents, maxDocuments }) => call({ most: maxDocuments }, documents),
};
