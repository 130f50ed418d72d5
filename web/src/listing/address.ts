interface Placed {
  readonly uid: string;
  readonly path: string;
  readonly facets: readonly string[];
  readonly isTrashed?: boolean;
  readonly isVersion?: boolean;
}

/**
 * The address at which the console shows a folder: `/browse` followed by the encoded path; `/browse` itself for the
 * root.
 */
export const browseAddress = (path: string): string =>
  `/browse${path === '/' ? '' : path.split('/').map(encodeURIComponent).join('/')}`;

export const documentAddress = (uid: string, tab?: string): string =>
  `/document/${uid}${tab ? `/${tab}` : ''}`;

/** The address that a click on a document opens: the list of a live folder, or the page of any other document. */
export const addressOf = ({ uid, path, facets, isTrashed, isVersion }: Placed): string =>
  facets.includes('Folderish') && !isTrashed && !isVersion ? browseAddress(path) : documentAddress(uid);
