import type { DocumentRow } from '../loaders/documents/document-row.ts';
import type { Enricher } from './enricher.ts';

export const favoritesEnricher: Enricher<DocumentRow> = {
  name: 'favorites',
  field: (t) =>
    t.boolean({
      description: "Whether the document is one of the caller's favorites.",
      resolve: ({ id }, _, { load }) => load.isFavorite(id),
    }),
  select: ({ forms }) => forms.favorites,
  prefetch: ({ isFavorite }, ids) => Promise.all(ids.map((id) => isFavorite(id))),
};
