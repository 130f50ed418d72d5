import type { RowFragment } from '../graphql/operations.ts';
import { children, folderChildren, trashedChildren } from '../graphql/operations.ts';
import { type Pages, usePages } from '../graphql/pages.ts';
import { type Sort, sortVariables } from '../listing/sorting.ts';

const pageSize = 100;

const isFolder = ({ facets }: RowFragment): boolean => facets.includes('Folderish');

/**
 * Loads the children of a folder, with folders before other documents. Folders are read as a separate list first, so
 * that a folder of any size needs only the index for its sort order. The second list contains all children, from which
 * the folders are omitted.
 */
function useLiveChildren(path: string, sort: Sort, isEnabled: boolean): Pages<RowFragment> {
  const variables = { path, pageSize, ...sortVariables(sort) };
  const folders = usePages(folderChildren, variables, (data) => data.document.provided, { isEnabled });
  const areFoldersRead = !folders.isLoading && !folders.hasMore;
  const all = usePages(children, variables, (data) => data.document.children, {
    isEnabled: isEnabled && areFoldersRead,
  });
  if (!areFoldersRead) return folders;
  const known = new Set(folders.entries.map(({ uid }) => uid));
  const others = all.entries.filter((row) => !isFolder(row) || !known.has(row.uid));
  return { ...all, entries: [...folders.entries, ...others] };
}

/** Loads either the live children of a folder or its trashed children. */
export function useChildren(path: string, sort: Sort, isTrash: boolean): Pages<RowFragment> {
  const live = useLiveChildren(path, sort, !isTrash);
  const variables = { path, pageSize, ...sortVariables(sort) };
  const trashed = usePages(trashedChildren, variables, (data) => data.document.provided, {
    isEnabled: isTrash,
  });
  return isTrash ? trashed : live;
}
