interface Placed {
  readonly uid: string;
  readonly path: string;
  readonly facets: readonly string[];
  readonly isTrashed?: boolean;
  readonly isVersion?: boolean;
}

/**
 * Returns the console's URL for a folder: `/browse` followed by the encoded path, or just `/browse` for the root.
 */
export const browseAddress = (path: string): string =>
  `/browse${path === '/' ? '' : path.split('/').map(encodeURIComponent).join('/')}`;

export const documentAddress = (uid: string, tab?: string): string =>
  `/document/${uid}${tab ? `/${tab}` : ''}`;

/**
 * Returns the URL to open when the user clicks on a document: the list of children for a folder, or the document's page
 * for anything else, including trashed folders and versions.
 */
export const addressOf = ({ uid, path, facets, isTrashed, isVersion }: Placed): string =>
  facets.includes('Folderish') && !isTrashed && !isVersion ? browseAddress(path) : documentAddress(uid);

/** Returns the URL of the search for the documents that a user has created or changed. */
export const documentsBy = (user: string): string => `/search?dc_contributors=${encodeURIComponent(user)}`;
