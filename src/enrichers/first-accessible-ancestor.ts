import { Document } from '../graphql/builder.ts';
import { readableAncestors } from '../loaders/documents/ancestors.ts';
import type { DocumentRow } from '../loaders/documents/document-row.ts';
import type { Enricher } from './enricher.ts';

export const firstAccessibleAncestorEnricher: Enricher<DocumentRow> = {
  name: 'firstAccessibleAncestor',
  field: (t) =>
    t.field({
      type: Document,
      nullable: true,
      description: 'The closest ancestor that the caller can read.',
      resolve: async (row, _, { load }) => (await readableAncestors(load.documentById, row)).at(-1),
    }),
  select: ({ document }) => document,
};
