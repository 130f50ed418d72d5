import type { Stats } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type NameClaim, type NameClaimOf, nameClaims } from './names.ts';
import { asSkipped, Skipped } from './skipped.ts';

function special(stats: Stats): string {
  if (stats.isFIFO()) return 'a named pipe';
  if (stats.isSocket()) return 'a socket';
  return 'a device';
}

async function throughLink(path: string): Promise<Stats> {
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Skipped('a broken symbolic link') : error;
  });
  // Links to folders are not followed, because they could form a cycle. If the target is inside the imported folder, it
  // is imported anyway.
  if (stats.isDirectory()) throw new Skipped('a symbolic link to a folder');
  return stats;
}

/**
 * Returns the stats of a file or folder. Follows symbolic links to files. @throws Skipped if it cannot be imported.
 */
async function inspect(path: string): Promise<Stats> {
  try {
    const stats = await lstat(path);
    const target = stats.isSymbolicLink() ? await throughLink(path) : stats;
    if (target.isFile() || target.isDirectory()) return target;
    throw new Skipped(special(target));
  } catch (error) {
    throw error instanceof Skipped ? error : asSkipped(path, error);
  }
}

/** A folder that already has a document, but whose entries have not been imported yet. */
export interface PendingFolder {
  readonly path: string;
  readonly id: string;
}

/** A file or folder to be imported. */
export interface ImportEntry {
  readonly path: string;
  readonly file: string;
  readonly claim: NameClaim;
  readonly parentId: string;
  readonly stats: Stats;
}

interface ScanOptions {
  /** The data folder of the server, which is skipped. */
  readonly dataFolder: string;
  readonly skip: (path: string, reason: string) => void;
}

export const dataFolderReason = 'the data folder of the server';

/** The number of files whose stats are read concurrently. */
const ahead = 64;

async function filesIn({ path }: PendingFolder): Promise<string[]> {
  try {
    // The order is fixed, because if several files would get the same document name, the first one gets it.
    return (await readdir(path)).sort();
  } catch (error) {
    throw asSkipped(path, error);
  }
}

async function orSkip<T>(work: Promise<T>, path: string, { skip }: ScanOptions): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Skipped)) throw error;
    skip(path, error.message);
    return undefined;
  }
}

async function entryOf(
  path: string,
  { parentId, claimOf, own }: { parentId: string; claimOf: NameClaimOf; own: string },
): Promise<ImportEntry> {
  if (path === own) throw new Skipped(dataFolderReason);
  const file = basename(path);
  return { path, file, parentId, claim: claimOf(file), stats: await inspect(path) };
}

export async function* entriesOf(
  folder: PendingFolder,
  surroundings: ScanOptions,
): AsyncGenerator<ImportEntry> {
  const files = (await orSkip(filesIn(folder), folder.path, surroundings)) ?? [];
  const place = { parentId: folder.id, claimOf: nameClaims(files), own: surroundings.dataFolder };
  for (let start = 0; start < files.length; start += ahead) {
    const paths = files.slice(start, start + ahead).map((file) => join(folder.path, file));
    const entries = await Promise.all(paths.map((path) => orSkip(entryOf(path, place), path, surroundings)));
    for (const entry of entries) if (entry) yield entry;
  }
}
