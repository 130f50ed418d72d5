import type { Model } from '../../model/model.ts';
import { entryKey } from './index.ts';
import type { EntryKey, StoredEntry } from './source.ts';

/** The maximum number of ancestors that are read; real vocabularies have fewer levels. */
export const maxAncestors = 16;

interface AncestorOptions {
  readonly model: Model;
  /**
   * Finds an entry. Concurrent calls are batched, so finding the ancestors of many entries takes only one statement per
   * level.
   */
  readonly find: (key: EntryKey) => Promise<StoredEntry | null>;
}

/** Finds the entry of the parent directory that the field `parent` refers to. */
export async function parentOf(
  { directory, properties: { parent: id } }: StoredEntry,
  { model, find }: AncestorOptions,
): Promise<StoredEntry | null> {
  const parent = model.directories.get(directory)?.parent;
  if (parent === undefined || typeof id !== 'string' || id === '') return null;
  return find({ directory: parent, id });
}

/** Finds the parent, its parent and so on, up to `maxAncestors`. Stops at an entry that has already been found. */
export async function ancestorsOf(entry: StoredEntry, options: AncestorOptions): Promise<StoredEntry[]> {
  const seen = new Set([entryKey(entry)]);
  const found: StoredEntry[] = [];
  let next = await parentOf(entry, options);
  while (next && !seen.has(entryKey(next))) {
    seen.add(entryKey(next));
    found.push(next);
    next = found.length < maxAncestors ? await parentOf(next, options) : null;
  }
  return found;
}
