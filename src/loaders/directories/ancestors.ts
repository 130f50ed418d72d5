import type { Model } from '../../model/model.ts';
import { entryKey } from './index.ts';
import type { EntryKey, StoredEntry } from './source.ts';

/** More levels than vocabularies have. */
export const maxAncestors = 16;

interface Climbing {
  readonly model: Model;
  /** Finds the entries of one height together, so that a list takes as many statements as its highest chain. */
  readonly find: (key: EntryKey) => Promise<StoredEntry | null>;
}

/** The entry of the parent directory that the field `parent` refers to. */
export async function parentOf(
  { directory, properties: { parent: id } }: StoredEntry,
  { model, find }: Climbing,
): Promise<StoredEntry | null> {
  const parent = model.directories.get(directory)?.parent;
  if (parent === undefined || typeof id !== 'string' || id === '') return null;
  return find({ directory: parent, id });
}

/** The parent, its parent and so on: at most `maxAncestors`, and none twice. */
export async function ancestorsOf(entry: StoredEntry, climbing: Climbing): Promise<StoredEntry[]> {
  const seen = new Set([entryKey(entry)]);
  const found: StoredEntry[] = [];
  let next = await parentOf(entry, climbing);
  while (next && !seen.has(entryKey(next))) {
    seen.add(entryKey(next));
    found.push(next);
    next = found.length < maxAncestors ? await parentOf(next, climbing) : null;
  }
  return found;
}
