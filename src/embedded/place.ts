import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Unavailable } from '../errors.ts';
import { embeddedFolder, isRoot, keptWord, writePrivately } from './files.ts';

/** The last user of every Linux: `initdb` needs one that the list of users names. */
const unprivileged: Owner = { uid: 65_534, gid: 65_534 };

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

export interface Place {
  readonly folder: string;
  /** Absent where the processes run under the user who starts them. */
  readonly owner?: Owner;
  /** Why it is not in DATA_DIR. */
  readonly reason?: string;
}

/** The first folder on the way to a path that other users cannot pass. */
function closedFolder(path: string): string | undefined {
  for (let folder = realpathSync(path); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

const clusterPrefix = 'postgresql-';

export const clusterFolder = (folder: string, major: number): string =>
  join(folder, `${clusterPrefix}${major}`);

/** The major versions of the clusters in a folder, the newest first. */
export function clustersIn(folder: string): number[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .filter((name) => name.startsWith(clusterPrefix))
    .map((name) => Number(name.slice(clusterPrefix.length)))
    .filter(Number.isInteger)
    .sort((one, other) => other - one);
}

/** Where Quire 0.1 kept the rows of its PGlite fallback. */
export const fallbackFolder = (dataDir: string): string => join(dataDir, 'postgres');

const systemFolder = '/var/lib/quire';

const identifierFile = (folder: string): string => join(folder, 'id');

function outsideFolder(folder: string): string | undefined {
  const file = identifierFile(folder);
  return existsSync(file) ? join(systemFolder, readFileSync(file, 'utf8').trim()) : undefined;
}

/** Whether a PostgreSQL, whether or not it can run now, holds the rows of a data folder. */
export function hasCluster(dataDir: string): boolean {
  const folder = embeddedFolder(dataDir);
  return [folder, outsideFolder(folder) ?? folder].some((each) => clustersIn(each).length > 0);
}

/** The path of the folder that a place outside of it is for: a copy of it has the same identifier. */
function requireOwn(folder: string, elsewhere: string): void {
  const file = join(elsewhere, 'for');
  const own = realpathSync(folder);
  const owner = existsSync(file) ? readFileSync(file, 'utf8') : own;
  if (owner !== own && outsideFolder(owner) === elsewhere)
    throw new Unavailable(
      `${folder} is a copy of ${owner}, whose database is in ${elsewhere}: delete ${identifierFile(folder)} to start with an empty one, and copy rows by npx quire backup and npx quire restore`,
    );
  writePrivately(file, own);
}

function outside(folder: string, closed: string): Place {
  const known = outsideFolder(folder);
  if (known !== undefined && !existsSync(known))
    throw new Unavailable(
      `the database of ${folder} was in ${known}, which is gone: bring it back, or delete ${identifierFile(folder)} to start with an empty one`,
    );
  const elsewhere = join(systemFolder, keptWord(identifierFile(folder), 8));
  mkdirSync(elsewhere, { recursive: true, mode: 0o711 });
  requireOwn(folder, elsewhere);
  const reason = `PostgreSQL refuses to run as root, and only root can enter ${closed}`;
  return { folder: elsewhere, owner: unprivileged, reason };
}

function placeOfCluster(folder: string): Place | undefined {
  const [major] = clustersIn(folder);
  if (major === undefined) return undefined;
  const { uid, gid } = statSync(clusterFolder(folder, major));
  return isRoot() ? { folder, owner: { uid, gid } } : { folder };
}

/**
 * Chooses where programs and data lie: in DATA_DIR, or below /var/lib/quire when root starts the server and
 * DATA_DIR is below a folder that only root can enter. A file in DATA_DIR holds the identifier of that place;
 * without the file there is a new one: no two servers share a place, and a deleted DATA_DIR stays deleted.
 * @throws Unavailable when root has laid the data where this user cannot reach them.
 */
export function choosePlace(dataDir: string): Place {
  const folder = embeddedFolder(dataDir);
  const existing = placeOfCluster(folder);
  if (existing) return existing;
  if (isRoot()) {
    const closed = closedFolder(folder);
    return closed === undefined ? { folder, owner: unprivileged } : outside(folder, closed);
  }
  const other = outsideFolder(folder);
  if (other !== undefined && existsSync(other))
    throw new Unavailable(`root has laid the database of ${dataDir} in ${other}: start the server as root`);
  return { folder };
}
