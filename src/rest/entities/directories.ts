import { call, entityType, inPlaceOf, type Selection } from '../../selection.ts';
import type { Shape } from '../headers.ts';
import { page } from './page.ts';

const directory: Selection = {
  'entity-type': entityType,
  name: true,
  schema: true,
  idField: true,
  parent: true,
};

/** §2.4: an entry so many levels below what was asked for; deeper than `depth` it has its fixed fields only. */
export function entryAt(shape: Shape, level: number): Selection {
  const fixed: Selection = { 'entity-type': entityType, directoryName: true, id: true };
  if (level > shape.depth) return fixed;
  const properties = call({ translate: shape.translate.directoryentry ?? [] });
  if (!shape.fetch.directoryentry?.includes('parent')) return { ...fixed, properties };
  const parent = inPlaceOf(['properties', 'parent'], entryAt(shape, level + 1));
  return { ...fixed, properties, 'properties.parent': parent };
}

/** Directories, an entry, and a page of entries, under a request's headers. */
export const directoryEntities = (shape: Shape) => {
  const directoryEntry = entryAt(shape, 0);
  return {
    directories: { 'entity-type': entityType, entries: directory },
    directoryEntry,
    directoryEntries: { ...page, entries: directoryEntry },
  } satisfies Record<string, Selection>;
};
