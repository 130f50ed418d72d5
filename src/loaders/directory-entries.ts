import DataLoader from 'dataloader';
import { entryKey, findEntries, servedDirectory } from '../directories/index.ts';
import type { DirectorySource, EntriesPart, EntriesWish, Entry, EntryKey } from '../directories/source.ts';
import type { Scope } from '../scope.ts';
import { maySeeDirectory } from '../security/directories.ts';
import { byText } from './batch.ts';

/** Entries by directory and id; those of directories that the caller may not see are not found. */
export function directoryEntry(scope: Scope): DataLoader<EntryKey, Entry | null, string> {
  const isVisible = ({ directory: name }: EntryKey): boolean => {
    const directory = scope.model.directories.get(name);
    return directory !== undefined && maySeeDirectory(scope.user, directory);
  };
  return byText((keys) => findEntries(scope, keys.filter(isVisible)), entryKey, entryKey);
}

type Parts = DataLoader<string, EntriesPart>;

/**
 * Parts of directories, whoever asks: one loader for each source and wish of a request.
 * @throws NotFound, Invalid when there is no such directory here.
 */
export function directoryEntries(
  scope: Scope,
): (directory: string, wish: EntriesWish) => Promise<EntriesPart> {
  const loaders = new Map<DirectorySource, Map<string, Parts>>();
  return (directory, wish) => {
    const { source } = servedDirectory(scope, directory);
    const known = loaders.get(source) ?? new Map<string, Parts>();
    loaders.set(source, known);
    const key = JSON.stringify([wish.filter, wish.limit, wish.offset, wish.after]);
    const loader: Parts = known.get(key) ?? new DataLoader((names) => source.list(scope, names, wish));
    known.set(key, loader);
    return loader.load(directory);
  };
}
