import type { Scope } from '../scope.ts';
import { createAccess } from './access.ts';
import { aclsByDocument } from './acls.ts';
import { childrenPages } from './children.ts';
import { directoryEntries, directoryEntry } from './directory-entries.ts';
import { documentById, documentByPath } from './documents.ts';

/**
 * Every loader of a request; each answers absence with `null` or an empty list. What exists and may not be read is
 * Forbidden, and lists leave it out: documents come through here and nowhere else.
 */
export function createLoaders(scope: Scope) {
  const access = createAccess(scope);
  return {
    access,
    acls: aclsByDocument(scope),
    documentById: documentById(scope, access),
    documentByPath: documentByPath(scope, access),
    children: childrenPages(scope, access),
    directoryEntry: directoryEntry(scope),
    directoryEntries: directoryEntries(scope),
  };
}

export type Loaders = ReturnType<typeof createLoaders>;
