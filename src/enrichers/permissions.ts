import { type DocumentRow, isRetained } from '../loaders/documents/document-row.ts';
import type { Enricher } from './enricher.ts';

export const permissionsEnricher: Enricher<DocumentRow> = {
  name: 'permissions',
  field: (t) =>
    t.stringList({
      description: 'All permissions of the caller on the document, including composed ones.',
      resolve: async (row, _, { load }) => {
        const held = await load.access.permissionsOn(row);
        return isRetained(row) ? held.filter((permission) => permission !== 'Remove') : held;
      },
    }),
  select: () => true,
};
