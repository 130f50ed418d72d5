import { type DocumentRow, isRetained } from '../loaders/documents/document-row.ts';
import type { Permission } from '../security/permissions.ts';
import type { Enricher } from './enricher.ts';

const shownOn = (row: DocumentRow, held: Permission[]): Permission[] =>
  isRetained(row) ? held.filter((permission) => permission !== 'Remove') : held;

export const permissionsEnricher: Enricher<DocumentRow> = {
  name: 'permissions',
  field: (t) =>
    t.stringList({
      description: 'All permissions of the caller on the document, including composed ones.',
      resolve: (row, _, { load }) => {
        const held = load.access.permissionsOn(row);
        return held instanceof Promise ? held.then((all) => shownOn(row, all)) : shownOn(row, held);
      },
    }),
  select: () => true,
};
