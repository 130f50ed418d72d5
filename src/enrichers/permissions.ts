import { type DocumentRow, isRetained } from '../loaders/documents/document-row.ts';
import type { Permission } from '../security/permissions.ts';
import type { Enricher } from './enricher.ts';

const shownOn = (row: DocumentRow, granted: Permission[]): Permission[] =>
  isRetained(row) ? granted.filter((permission) => permission !== 'Remove') : granted;

export const permissionsEnricher: Enricher<DocumentRow> = {
  name: 'permissions',
  field: (t) =>
    t.stringList({
      description: 'All permissions that the caller has on the document, including compound permissions.',
      resolve: (row, _, { load }) => {
        const granted = load.access.permissionsOn(row);
        return granted instanceof Promise ? granted.then((all) => shownOn(row, all)) : shownOn(row, granted);
      },
    }),
  select: () => true,
};
