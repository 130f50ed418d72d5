import type { DocumentRow } from '../loaders/documents/document-row.ts';
import { facetsOf } from '../model/facets-of.ts';
import { offeredPermissions } from '../security/permissions.ts';
import type { Enricher } from './enricher.ts';

export const userVisiblePermissionsEnricher: Enricher<DocumentRow> = {
  name: 'userVisiblePermissions',
  field: (t) =>
    t.stringList({
      description: 'The permissions that clients offer when a user adds an ACE.',
      resolve: (row, _, { services: { model } }) => offeredPermissions(facetsOf(model, row)),
    }),
  select: () => true,
};
