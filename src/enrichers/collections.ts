import { Document } from '../graphql/builder.ts';
import type { DocumentRow } from '../loaders/documents/document-row.ts';
import { primeDocuments } from '../loaders/documents/documents.ts';
import { maxPageSize } from '../loaders/lists/page.ts';
import { Field } from '../selection/selection.ts';
import type { Enricher } from './enricher.ts';

export const collectionsEnricher: Enricher<DocumentRow> = {
  name: 'collections',
  field: (t) =>
    t.field({
      type: [Document],
      description: 'The collections with the document that the caller may read, by title.',
      args: { most: t.arg.int({ defaultValue: 50, description: 'At most 1000.' }) },
      complexity: ({ most }) => ({ field: 1, multiplier: Math.max(1, Math.min(most ?? 50, maxPageSize)) }),
      resolve: async ({ id }, { most }, { load }) => [
        ...primeDocuments(load.documentById, await load.collections(id, Math.max(1, most ?? 50))),
      ],
    }),
  select: ({ document, maxDocuments }) => new Field({ ...document, arguments: { most: maxDocuments } }),
};
