import type { DocumentRow } from '../loaders/document-row.ts';
import type { Enricher } from './enricher.ts';

/** §4.9: whether the document is among the caller's favorites. */
export const favorites: Enricher<DocumentRow> = {
  name: 'favorites',
  field: (t) => t.boolean({ resolve: ({ id }, _, { load }) => load.isFavorite(id) }),
  select: () => true,
};
