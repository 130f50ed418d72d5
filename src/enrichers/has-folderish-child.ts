import type { DocumentRow } from '../loaders/document-row.ts';
import type { Enricher } from './enricher.ts';

/** §4.9: whether there is a folder below that the caller may read, neither hidden nor trashed. */
export const hasFolderishChild: Enricher<DocumentRow> = {
  name: 'hasFolderishChild',
  field: (t) => t.boolean({ resolve: ({ id }, _, { load }) => load.content('hasFolderishChild', id) }),
  select: () => true,
};
