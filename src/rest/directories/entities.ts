import { call, entityType, Field, type Selection, setAtPaths } from '../../selection/selection.ts';
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

type PresentedEntry = Record<string, unknown>;

/** Each entry of the chain becomes the `parent` of the one before. */
function nestParents(shown: PresentedEntry, chain: unknown): void {
  (chain as readonly PresentedEntry[]).reduce((child, parent) => {
    setAtPaths(child, [[['properties', 'parent'], parent]]);
    return parent;
  }, shown);
}

/** §2.4: `fetch.directoryEntry: parent` replaces the ids of parents by their entries, up to the top. */
export function entrySelection({ fetch, translate }: ResponseShape): Selection {
  const entry = { ...plainEntry, properties: call({ translate: translate.directoryentry ?? [] }) };
  if (!fetch.directoryentry?.includes('parent')) return entry;
  const targetPath = ['properties', 'parent'];
  return { ...entry, ancestors: new Field({ of: entry, assign: nestParents, targetPath }) };
}

export const directoryEntities = (directoryEntry: Selection) =>
  ({
    directories: { 'entity-type': entityType, entries: directory },
    directoryEntry,
    directoryEntries: { ...pageSelection, entries: directoryEntry },
  }) satisfies Record<string, Selection>;
