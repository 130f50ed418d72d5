import { call, entityType, Field, inPlaceOf, type Selection } from '../../selection.ts';
import type { Shape } from '../headers.ts';
import { page } from './page.ts';

const directory: Selection = {
  'entity-type': entityType,
  name: true,
  schema: true,
  idField: true,
  parent: true,
};

/** An entry deeper than `depth`. */
export const plainEntry: Selection = { 'entity-type': entityType, directoryName: true, id: true };

/** §2.4: an entry; `fetch.directoryEntry` shows the one that it names as its parent. */
export function entryOf({ fetch, translate }: Shape, inside: Record<'directoryEntry', Selection>): Selection {
  const properties = call({ translate: translate.directoryentry ?? [] });
  if (!fetch.directoryentry?.includes('parent')) return { ...plainEntry, properties };
  const parent = new Field({
    name: 'parent',
    of: inside.directoryEntry,
    ...inPlaceOf('properties', 'parent'),
  });
  return { ...plainEntry, properties, 'properties.parent': parent };
}

/** Directories, an entry, and a page of entries. */
export const directoryEntities = (directoryEntry: Selection) =>
  ({
    directories: { 'entity-type': entityType, entries: directory },
    directoryEntry,
    directoryEntries: { ...page, entries: directoryEntry },
  }) satisfies Record<string, Selection>;
