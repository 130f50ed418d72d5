import type { DocumentRow } from '../loaders/document-row.ts';
import { readableOf } from '../loaders/documents.ts';
import { Document } from '../schema/builder.ts';
import type { Enricher } from './enricher.ts';

/** §4.9: the nearest ancestor that the caller may read; null when there is none. */
export const firstAccessibleAncestor: Enricher<DocumentRow> = {
  name: 'firstAccessibleAncestor',
  field: (t) =>
    t.field({
      type: Document,
      nullable: true,
      description: 'The nearest ancestor that the caller may read.',
      resolve: async ({ ancestorIds }, _, { load }) =>
        (await readableOf(load.documentById, ancestorIds)).at(-1),
    }),
  select: ({ document }) => document,
};
