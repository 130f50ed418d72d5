import { Document } from '../graphql/builder.ts';
import type { DocumentRow } from '../loaders/documents/document-row.ts';
import { primeDocuments } from '../loaders/documents/documents.ts';
import type { Enricher } from './enricher.ts';

export const collectionsEnricher: Enricher<DocumentRow> = {
  name: 'collections',
  field: (t) =>
    t.field({
      type: [Document],
      description: 'The collections with the document that the caller may read, by title: at most 100.',
      resolve: async ({ id }, _, { load }) => [
        ...primeDocuments(load.documentById, await load.collections(id)),
      ],
    }),
  select: ({ document }) => document,
};
