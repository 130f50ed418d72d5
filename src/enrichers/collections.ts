import { Document } from '../graphql/builder.ts';
import type { DocumentRow } from '../loaders/documents/document-row.ts';
import { primeDocuments } from '../loaders/documents/documents.ts';
import { Field } from '../selection/selection.ts';
import { type Enricher, maxLengthArgument, maxLengthOf } from './enricher.ts';

export const collectionsEnricher: Enricher<DocumentRow> = {
  name: 'collections',
  field: (t) =>
    t.field({
      type: [Document],
      description: 'The collections that contain the document and that the caller can read, sorted by title.',
      args: { most: t.arg.int(maxLengthArgument) },
      complexity: ({ most }) => ({ field: 1, multiplier: maxLengthOf(most) }),
      resolve: async ({ id }, { most }, { load }) => [
        ...primeDocuments(load.documentById, await load.collections(id, maxLengthOf(most))),
      ],
    }),
  select: ({ document, maxDocuments }) => new Field({ ...document, arguments: { most: maxDocuments } }),
};
