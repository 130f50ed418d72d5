import type { Key } from 'react-aria-components';
import { treeFolders } from '../graphql/operations.ts';
import { usePages } from '../graphql/pages.ts';

/** Subfolders of one folder that the tree shows at first, and more each time it is asked to. */
const pageSize = 100;

/** Subfolders of a folder; the folder itself is in the `first` answer. */
export const useFolders = (path: string, isAsked = true) =>
  usePages(treeFolders, { path, pageSize }, (data) => data.document.provided, { isAsked });

/** Ends the key of the row below folders that are not all shown; no name has a slash. */
export const moreKey = '//more';

/** Whether the row of a key is a folder. */
export const isFolderKey = (key: Key): boolean => !String(key).endsWith(moreKey);
