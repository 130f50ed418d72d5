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

export const embeddedFolder = (dataDir: string): string => join(dataDir, 'embedded');

/** Node's options for a program of this folder: the loader of TypeScript, where it is not compiled. */
export const loader = import.meta.url.endsWith('.ts') ? process.execArgv : [];

export const isRoot = (): boolean => process.getuid?.() === 0;

/** Other users may pass the folder when the server runs as root, and list or read nothing in any case. */
const folderMode = (): number => (isRoot() ? 0o711 : 0o700);

/** The folder itself, or the lowest one above it that exists. */
const lowestExisting = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : lowestExisting(dirname(folder));

/** @throws Unavailable for a folder in which no file can be made. */
function requireWritable(dataDir: string): void {
  const folder = lowestExisting(dataDir);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === 'EROFS' ? 'is on a read-only file system' : `cannot be written (${code})`;
    throw new Unavailable(
      `The embedded database needs a data folder to write to, but ${folder} ${reason}: set DATA_DIR to another folder, or DATABASE_URL to a PostgreSQL server.`,
    );
  }
}

/** @throws Unavailable when the data folder cannot be written. */
export function makeEmbeddedFolder(dataDir: string): string {
  requireWritable(dataDir);
  const folder = embeddedFolder(dataDir);
  mkdirSync(dataDir, { recursive: true, mode: folderMode() });
  mkdirSync(folder, { recursive: true, mode: folderMode() });
  if (isRoot()) for (const path of [dataDir, folder]) chmodSync(path, folderMode());
  return folder;
}

/** Writes a file that only this user may read, whole or not at all. */
export function writePrivately(file: string, content: string): void {
  const unfinished = `${file}.${process.pid}`;
  try {
    writeFileSync(unfinished, content, { mode: 0o600 });
    renameSync(unfinished, file);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** A random word that a file keeps: made when the file is absent. */
export function keptWord(file: string, bytes: number): string {
  if (!existsSync(file)) writePrivately(file, `${randomBytes(bytes).toString('hex')}\n`);
  return readFileSync(file, 'utf8').trim();
}

interface HostAddress {
  /** On loopback. */
  readonly port: number;
  /** The first line that the host reads; without it the connection ends. */
  readonly token: string;
}

/** With the path of its folder: a copy of the folder is not the host's. */
interface KeptAddress extends HostAddress {
  readonly folder: string;
}

const addressFile = (folder: string): string => join(folder, 'host.json');

export const writeHostAddress = (folder: string, address: HostAddress): void =>
  writePrivately(
    addressFile(folder),
    JSON.stringify({ ...address, folder: realpathSync(folder) } satisfies KeptAddress),
  );

export function readHostAddress(folder: string): HostAddress | undefined {
  try {
    const address: KeptAddress = JSON.parse(readFileSync(addressFile(folder), 'utf8'));
    return address.folder === realpathSync(folder) ? address : undefined;
  } catch {
    return undefined; // no host has run yet
  }
}
