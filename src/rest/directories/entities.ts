import { call, entityType, Field, replaceAtPath, type Selection } from '../../selection/selection.ts';
import { pageSelection } from '../answer/page.ts';
import type { ResponseShape } from '../request/headers.ts';

const directory: Selection = {
  'entity-type': entityType,
  name: true,
  schema: true,
  idField: true,
  parent: true,
};

export const plainEntry: Selection = { 'entity-type': entityType, directoryName: true, id: true };

/** §2.4: `fetch.directoryEntry: parent` replaces the parent's id by its entry. */
export function entrySelection(
  { fetch, translate }: ResponseShape,
  inside: Record<'directoryEntry', Selection>,
): Selection {
  const properties = call({ translate: translate.directoryentry ?? [] });
  if (!fetch.directoryentry?.includes('parent')) return { ...plainEntry, properties };
  const parent = new Field({
    name: 'parent',
    of: inside.directoryEntry,
    ...replaceAtPath('properties', 'parent'),
  });
  return { ...plainEntry, properties, 'properties.parent': parent };
}

export const directoryEntities = (directoryEntry: Selection) =>
  ({
    directories: { 'entity-type': entityType, entries: directory },
    directoryEntry,
    directoryEntries: { ...pageSelection, entries: directoryEntry },
  }) satisfies Record<string, Selection>;
