import type { DocumentRow } from '../loaders/document-row.ts';
import type { Enricher } from './enricher.ts';

/** §4.9: whether there is something below that the caller may read, neither hidden nor trashed. */
export const hasContent: Enricher<DocumentRow> = {
  name: 'hasContent',
  field: (t) => t.boolean({ resolve: ({ id }, _, { load }) => load.content('hasContent', id) }),
  select: () => true,
};
