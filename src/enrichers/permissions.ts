import type { DocumentRow } from '../loaders/document-row.ts';
import type { Enricher } from './enricher.ts';

/** §4.9: everything that the caller may do with the document, composed permissions included. */
export const permissions: Enricher<DocumentRow> = {
  name: 'permissions',
  field: (t) =>
    t.stringList({
      description: 'What the caller may do here, composed permissions included.',
      resolve: (row, _, { load }) => load.access.held(row),
    }),
  select: () => true,
};
