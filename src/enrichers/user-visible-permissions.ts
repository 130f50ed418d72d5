import type { DocumentRow } from '../loaders/document-row.ts';
import { facetsOf } from '../model/facets-of.ts';
import { userVisible } from '../security/permissions.ts';
import type { Enricher } from './enricher.ts';

/** §4.9: the permissions that clients offer for choice here. */
export const userVisiblePermissions: Enricher<DocumentRow> = {
  name: 'userVisiblePermissions',
  field: (t) =>
    t.stringList({
      description: 'What clients offer for choice here.',
      resolve: (row, _, { model }) => userVisible(facetsOf(model, row)),
    }),
  select: () => true,
};
