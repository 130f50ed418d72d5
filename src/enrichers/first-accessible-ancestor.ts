import { Document } from '../graphql/builder.ts';
import type { DocumentRow } from '../loaders/documents/document-row.ts';
import { loadReadable } from '../loaders/documents/documents.ts';
import type { Enricher } from './enricher.ts';

export const firstAccessibleAncestorEnricher: Enricher<DocumentRow> = {
  name: 'firstAccessibleAncestor',
  field: (t) =>
    t.field({
      type: Document,
      nullable: true,
      description: 'The nearest ancestor that the caller may read.',
      resolve: async ({ ancestorIds }, _, { load }) =>
        (await loadReadable(load.documentById, ancestorIds)).at(-1),
    }),
  select: ({ document }) => document,
};
