import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Unavailable } from '../errors.ts';
import { embeddedFolder, isRoot, storedSecret, writePrivately } from './files.ts';

/** The user `nobody`, which exists on every Linux: `initdb` requires a user with an entry in the list of users. */
const unprivileged: Owner = { uid: 65_534, gid: 65_534 };

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** The location of PostgreSQL's programs and data. */
export interface Place {
  readonly folder: string;
  /** The user under which PostgreSQL runs; absent if that is the current user. */
  readonly owner?: Owner;
  /** The reason why it is not in DATA_DIR. */
  readonly reason?: string;
}

/** The path itself or its closest ancestor that other users cannot enter; undefined if there is none. */
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

/** The folder in which Quire 0.1 stored the data of its PGlite fallback. */
export const fallbackFolder = (dataDir: string): string => join(dataDir, 'postgres');

const systemFolder = '/var/lib/quire';

const identifierFile = (folder: string): string => join(folder, 'id');

/** The location outside of DATA_DIR that a file in DATA_DIR identifies, if there is such a file. */
function outsideFolder(folder: string): string | undefined {
  const file = identifierFile(folder);
  return existsSync(file) ? join(systemFolder, readFileSync(file, 'utf8').trim()) : undefined;
}

/** Whether there is a PostgreSQL cluster for a data folder, even if its version cannot run. */
export function hasCluster(dataDir: string): boolean {
  const folder = embeddedFolder(dataDir);
  return [folder, outsideFolder(folder) ?? folder].some((each) => clustersIn(each).length > 0);
}

/**
 * Records which folder an outside location belongs to. A copy of DATA_DIR has the same identifier as the original.
 * @throws Unavailable if the location belongs to another folder that still exists.
 */
function requireOwn(folder: string, elsewhere: string): void {
  const file = join(elsewhere, 'for');
  const own = realpathSync(folder);
  const owner = existsSync(file) ? readFileSync(file, 'utf8') : own;
  if (owner !== own && outsideFolder(owner) === elsewhere)
    throw new Unavailable(
      `${folder} is a copy of ${owner}, whose database is in ${elsewhere}. Delete ${identifierFile(folder)} to start with an empty database; to copy the data, use npx quire backup and npx quire restore.`,
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
 * Chooses the location of programs and data: in DATA_DIR, or below /var/lib/quire if root starts the server and DATA_DIR is
 * in a folder that only root can enter. A file in DATA_DIR contains the identifier of that location. Without the file a new
 * location is created, so that no two servers share one, and that a new DATA_DIR does not get the data of a deleted one.
 * @throws Unavailable if root has created the data in a location that this user cannot access.
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
      `The database of ${dataDir} is in ${other}, which root has created. Start the server as root.`,
    );
  return { folder };
}
