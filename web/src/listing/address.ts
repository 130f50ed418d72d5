interface Placed {
  readonly uid: string;
  readonly path: string;
  readonly facets: readonly string[];
  readonly isTrashed?: boolean;
  readonly isVersion?: boolean;
}

/** The segments of a path, encoded; the root is empty. */
export const browseAddress = (path: string): string =>
  `/browse${path === '/' ? '' : path.split('/').map(encodeURIComponent).join('/')}`;

export const documentAddress = (uid: string, tab?: string): string =>
  `/document/${uid}${tab ? `/${tab}` : ''}`;

/** Where a click leads: a folder is opened, anything else shown. */
export const addressOf = ({ uid, path, facets, isTrashed, isVersion }: Placed): string =>
  facets.includes('Folderish') && !isTrashed && !isVersion ? browseAddress(path) : documentAddress(uid);
