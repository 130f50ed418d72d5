import type { Key } from 'react-aria-components';
import { treeFolders } from '../graphql/operations.ts';
import { usePages } from '../graphql/pages.ts';

/** The number of subfolders that the tree loads at a time. */
const pageSize = 100;

/** Loads the subfolders of a folder. The first page of the result also contains the folder itself. */
export const useFolders = (path: string, isEnabled = true) =>
  usePages(treeFolders, { path, pageSize }, (data) => data.document.provided, { isEnabled });

/**
 * The suffix of the key for the row that loads more subfolders. It cannot be the end of a path, because names cannot
 * contain slashes.
 */
export const moreKey = '//more';

/** Whether a key of the tree belongs to a folder. */
export const isFolderKey = (key: Key): boolean => !String(key).endsWith(moreKey);
