import type { Stats } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { inspect } from './inspect.ts';
import { type Claim, type ClaimOf, claims } from './names.ts';
import { asSkipped, Skipped } from './skipped.ts';

/** A folder whose document is there already and whose content is still to be imported. */
export interface Folder {
  readonly path: string;
  readonly id: string;
}

/** Something that is to be a document. */
export interface Entry {
  readonly path: string;
  /** The original name. */
  readonly file: string;
  readonly claim: Claim;
  readonly parentId: string;
  readonly stats: Stats;
}

export interface Surroundings {
  /** A folder that is left alone: where the import itself writes. */
  readonly own: string;
  /** Told of everything that cannot be imported. */
  readonly skip: (path: string, reason: string) => void;
}

/** Why the folder is left alone that the import itself writes to. */
export const isOwn = 'the folder that the documents are stored in';

/** How many files are looked at ahead of the one that is wanted. */
const ahead = 64;

async function filesIn({ path }: Folder): Promise<string[]> {
  try {
    return (await readdir(path)).sort(); // the order decides between names that clean to the same
  } catch (error) {
    throw asSkipped(path, error);
  }
}

async function orSkip<T>(work: Promise<T>, path: string, { skip }: Surroundings): Promise<T | undefined> {
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
  { parentId, claimOf, own }: { parentId: string; claimOf: ClaimOf; own: string },
): Promise<Entry> {
  if (path === own) throw new Skipped(isOwn);
  const file = basename(path);
  return { path, file, parentId, claim: claimOf(file), stats: await inspect(path) };
}

/** What is directly in a folder. */
export async function* entriesOf(folder: Folder, surroundings: Surroundings): AsyncGenerator<Entry> {
  const files = (await orSkip(filesIn(folder), folder.path, surroundings)) ?? [];
  const place = { parentId: folder.id, claimOf: claims(files), own: surroundings.own };
  for (let start = 0; start < files.length; start += ahead) {
    const paths = files.slice(start, start + ahead).map((file) => join(folder.path, file));
    const entries = await Promise.all(paths.map((path) => orSkip(entryOf(path, place), path, surroundings)));
    for (const entry of entries) if (entry) yield entry;
  }
}
