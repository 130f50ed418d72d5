import { Document } from '../graphql/builder.ts';
import type { DocumentRow } from '../loaders/documents/document-row.ts';
import { primeDocuments } from '../loaders/documents/documents.ts';
import { Field } from '../selection/selection.ts';
import { type Enricher, mostArgument, mostOf } from './enricher.ts';

export const collectionsEnricher: Enricher<DocumentRow> = {
  name: 'collections',
  field: (t) =>
    t.field({
      type: [Document],
      description: 'The collections with the document that the caller may read, by title.',
      args: { most: t.arg.int(mostArgument) },
      complexity: ({ most }) => ({ field: 1, multiplier: mostOf(most) }),
      resolve: async ({ id }, { most }, { load }) => [
        ...primeDocuments(load.documentById, await load.collections(id, mostOf(most))),
      ],
    }),
  select: ({ document, maxDocuments }) => new Field({ ...document, arguments: { most: maxDocuments } }),
};
