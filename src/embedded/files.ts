import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Unavailable } from '../errors.ts';

/** The folder of the embedded database within the data folder. */
export const embeddedFolder = (dataDir: string): string => join(dataDir, 'embedded');

/**
 * The Node options for starting another program of this server. If the sources are not compiled, they load the
 * TypeScript loader.
 */
export const loader = import.meta.url.endsWith('.ts') ? process.execArgv : [];

export const isRoot = (): boolean => process.getuid?.() === 0;

/**
 * The mode of folders. If the server runs as root, PostgreSQL's user must be able to enter them; other users can never
 * list their contents.
 */
const folderMode = (): number => (isRoot() ? 0o711 : 0o700);

/** Returns the folder itself or, if it does not exist, its closest existing ancestor. */
const lowestExisting = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : lowestExisting(dirname(folder));

/** @throws Unavailable if no files can be created in the folder. */
function requireWritable(dataDir: string): void {
  const folder = lowestExisting(dataDir);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === 'EROFS' ? 'is on a read-only file system' : `cannot be written (${code})`;
    throw new Unavailable(
      `The embedded database needs a writable data folder, but ${folder} ${reason}. Set DATA_DIR to another folder, or DATABASE_URL to a PostgreSQL server.`,
    );
  }
}

/** Creates the folder of the embedded database. @throws Unavailable if the data folder is not writable. */
export function makeEmbeddedFolder(dataDir: string): string {
  requireWritable(dataDir);
  const folder = embeddedFolder(dataDir);
  mkdirSync(dataDir, { recursive: true, mode: folderMode() });
  mkdirSync(folder, { recursive: true, mode: folderMode() });
  if (isRoot()) for (const path of [dataDir, folder]) chmodSync(path, folderMode());
  return folder;
}

/** Writes a file atomically. Only the current user can read it. */
export function writePrivately(file: string, content: string): void {
  const unfinished = `${file}.${process.pid}`;
  try {
    writeFileSync(unfinished, content, { mode: 0o600 });
    renameSync(unfinished, file);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** Returns the secret stored in a file. If the file does not exist, it is created with a random secret. */
export function storedSecret(file: string, bytes: number): string {
  if (!existsSync(file)) writePrivately(file, `${randomBytes(bytes).toString('hex')}\n`);
  return readFileSync(file, 'utf8').trim();
}

interface HostAddress {
  /** A port on 127.0.0.1. */
  readonly port: number;
  /**
   * The secret that a process must send in its first line. Without it, the host process closes the connection.
   */
  readonly token: string;
}

/**
 * A stored address together with the path of its folder. The address is ignored if the folder has been copied.
 */
interface StoredAddress extends HostAddress {
  readonly folder: string;
}

const addressFile = (folder: string): string => join(folder, 'host.json');

export const writeHostAddress = (folder: string, address: HostAddress): void =>
  writePrivately(
    addressFile(folder),
    JSON.stringify({ ...address, folder: realpathSync(folder) } satisfies StoredAddress),
  );

export function readHostAddress(folder: string): HostAddress | undefined {
  try {
    const address: StoredAddress = JSON.parse(readFileSync(addressFile(folder), 'utf8'));
    return address.folder === realpathSync(folder) ? address : undefined;
  } catch {
    return undefined; // no host process has been started yet
  }
}
