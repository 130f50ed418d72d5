/** The suffix that the server adds to the name of a trashed document. */
const trashSuffix = /(?<=[^/])\._\d+_\.trashed(\.\d{13})?(?=\/|$)/g;

/** Returns a path as it is shown: without the suffixes of trashed documents. */
export const pathText = (path: string): string => path.replaceAll(trashSuffix, '');

/** Returns the last segment of a path as it is shown; `/` for the root. */
export const nameText = (path: string): string => pathText(path).split('/').at(-1) || path;
