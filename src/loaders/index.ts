import type { Scope } from '../scope.ts';
import { childrenPages } from './children.ts';
import { directoryEntries, directoryEntry } from './directory-entries.ts';
import { documentById, documentByPath } from './documents.ts';

/** Every loader of a request; each answers absence with `null` or an empty list, never with an error. */
export function createLoaders(scope: Scope) {
  return {
    documentById: documentById(scope),
    documentByPath: documentByPath(scope),
    children: childrenPages(scope),
    directoryEntry: directoryEntry(scope),
    directoryEntries: directoryEntries(scope),
  };
}

export type Loaders = ReturnType<typeof createLoaders>;
