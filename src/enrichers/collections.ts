import type { DocumentRow } from '../loaders/document-row.ts';
import { knownFromNow } from '../loaders/documents.ts';
import { Document } from '../schema/builder.ts';
import type { Enricher } from './enricher.ts';

/** §4.9: the collections that the document is in and the caller may read: at most 100, by title. */
export const collections: Enricher<DocumentRow> = {
  name: 'collections',
  field: (t) =>
    t.field({
      type: [Document],
      description: 'The collections that it is in, at most 100.',
      resolve: async ({ id }, _, { load }) => [
        ...knownFromNow(load.documentById, await load.collections.load(id)),
      ],
    }),
  select: ({ document }) => document,
};
