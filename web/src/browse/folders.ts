import type { Key } from 'react-aria-components';
import { treeFolders } from '../graphql/operations.ts';
import { usePages } from '../graphql/pages.ts';

/** Number of subfolders that the tree loads at a time. */
const pageSize = 100;

/** The subfolders of a folder; `first` contains the folder itself. */
export const useFolders = (path: string, isEnabled = true) =>
  usePages(treeFolders, { path, pageSize }, (data) => data.document.provided, { isEnabled });

/** Suffix for the key of the row that loads more subfolders. No path ends like this, since names have no slashes. */
export const moreKey = '//more';

/** Whether a key of the tree belongs to a folder. */
export const isFolderKey = (key: Key): boolean => !String(key).endsWith(moreKey);
