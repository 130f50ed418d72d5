import type { DocumentRow } from '../loaders/documents/document-row.ts';
import type { Enricher } from './enricher.ts';

export const permissionsEnricher: Enricher<DocumentRow> = {
  name: 'permissions',
  field: (t) =>
    t.stringList({
      description: 'All permissions of the caller on the document, including composed ones.',
      resolve: (row, _, { load }) => load.access.permissionsOn(row),
    }),
  select: () => true,
};
