import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Unavailable } from '../errors.ts';
import { embeddedFolder, isRoot, storedSecret, writePrivately } from './files.ts';

/**
 * The user `nobody`. `initdb` requires a user that exists in the user database, and every Linux system has this user.
 */
const unprivileged: Owner = { uid: 65_534, gid: 65_534 };

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** The location of PostgreSQL's programs and data. */
export interface Place {
  readonly folder: string;
  /** The user that PostgreSQL runs as; absent if it is the current user. */
  readonly owner?: Owner;
  /** The reason why the location is outside DATA_DIR. */
  readonly reason?: string;
}

/**
 * Returns the path itself or its closest ancestor that other users cannot enter; undefined if they can enter all of
 * them.
 */
function closedFolder(path: string): string | undefined {
  for (let folder = realpathSync(path); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

const clusterPrefix = 'postgresql-';

export const clusterFolder = (folder: string, major: number): string =>
  join(folder, `${clusterPrefix}${major}`);

/** Returns the major versions of the clusters in a folder, newest first. */
export function clustersIn(folder: string): number[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .filter((name) => name.startsWith(clusterPrefix))
    .map((name) => Number(name.slice(clusterPrefix.length)))
    .filter(Number.isInteger)
    .sort((one, other) => other - one);
}

/** Returns the folder in which Quire 0.1 stored the data of its fallback engine, PGlite. */
export const fallbackFolder = (dataDir: string): string => join(dataDir, 'postgres');

const systemFolder = '/var/lib/quire';

const identifierFile = (folder: string): string => join(folder, 'id');

/**
 * Returns the location outside DATA_DIR that a file in DATA_DIR identifies; undefined if there is no such file.
 */
function outsideFolder(folder: string): string | undefined {
  const file = identifierFile(folder);
  return existsSync(file) ? join(systemFolder, readFileSync(file, 'utf8').trim()) : undefined;
}

/** Whether a data folder has a PostgreSQL cluster, even if this server cannot run the cluster's version. */
export function hasCluster(dataDir: string): boolean {
  const folder = embeddedFolder(dataDir);
  return [folder, outsideFolder(folder) ?? folder].some((each) => clustersIn(each).length > 0);
}

/**
 * Records the data folder to which a location outside DATA_DIR belongs. A copy of DATA_DIR contains the same identifier
 * as the original, so both would use the same database.
 * @throws Unavailable if the location belongs to a different folder that still exists.
 */
function requireOwn(folder: string, elsewhere: string): void {
  const file = join(elsewhere, 'for');
  const own = realpathSync(folder);
  const owner = existsSync(file) ? readFileSync(file, 'utf8') : own;
  if (owner !== own && outsideFolder(owner) === elsewhere)
    throw new Unavailable(
      `${folder} is a copy of ${owner}, and the database of the original is in ${elsewhere}. Delete ${identifierFile(folder)} to start with an empty database; to copy the data, use npx quire backup and npx quire restore.`,
    );
  writePrivately(file, own);
}

function outside(folder: string, closed: string): Place {
  const known = outsideFolder(folder);
  if (known !== undefined && !existsSync(known))
    throw new Unavailable(
      `The database of ${folder} was in ${known}, which does not exist. Restore that folder, or delete ${identifierFile(folder)} to start with an empty database.`,
    );
  const elsewhere = join(systemFolder, storedSecret(identifierFile(folder), 8));
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
 * Chooses the location of PostgreSQL's programs and data: in DATA_DIR or, if root starts the server and only root can
 * enter DATA_DIR, below /var/lib/quire. In the second case, a file in DATA_DIR contains the identifier of the location.
 * If the file is missing, a new location is created. Two servers therefore never share a location, and a new DATA_DIR
 * does not use the data of a deleted one.
 * @throws Unavailable if root created the data in a location that this user cannot access.
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
    throw new Unavailable(
      `The database of ${dataDir} is in ${other}, which was created by root. Start the server as root.`,
    );
  return { folder };
}
