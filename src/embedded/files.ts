import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

export const embeddedFolder = (dataDir: string): string => join(dataDir, 'embedded');

/** Node's options for a program of this folder: the loader of TypeScript, where it is not compiled. */
export const loader = import.meta.url.endsWith('.ts') ? process.execArgv : [];

export const isRoot = (): boolean => process.getuid?.() === 0;

/** Other users may pass the folder when the server runs as root, and list or read nothing in any case. */
const folderMode = (): number => (isRoot() ? 0o711 : 0o700);

export function makeEmbeddedFolder(dataDir: string): string {
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
