import DataLoader from 'dataloader';
import type { Scope } from '../../scope.ts';
import { mayAccessDirectory } from '../../security/directories.ts';
import { textKeyBatchLoader } from '../batch.ts';
import { entryKey, findEntries, servedDirectory, sourceOf } from './index.ts';
import type { EntryKey, EntryListOptions, EntryPage, EntrySource, StoredEntry } from './source.ts';

/**
 * Returns a loader for entries by directory and id. For entries of directories that the caller is not allowed to read,
 * it returns `null`.
 */
export function directoryEntryByKey(scope: Scope): DataLoader<EntryKey, StoredEntry | null, string> {
  const isVisible = ({ directory: name }: EntryKey): boolean => {
    const directory = scope.services.model.directories.get(name);
    return directory !== undefined && mayAccessDirectory(scope.user, directory);
  };
  return textKeyBatchLoader((keys) => findEntries(scope, keys.filter(isVisible)), entryKey, entryKey);
}

type PageLoader = DataLoader<string, EntryPage>;

/**
 * Reads pages of the entries of directories, without checking permissions. Pages of several directories with the same
 * source and equal options are read together.
 * @throws NotFound for an unknown directory; Invalid for the directories of users and groups
 */
export function directoryEntryPages(
  scope: Scope,
): (directory: string, options: EntryListOptions) => Promise<EntryPage> {
  const loaders = new Map<EntrySource, Map<string, PageLoader>>();
  return (name, options) => {
    servedDirectory(scope.services.model, name);
    const source = sourceOf(name) as EntrySource;
    const loadersOfSource = loaders.get(source) ?? new Map<string, PageLoader>();
    loaders.set(source, loadersOfSource);
    const key = JSON.stringify([
      options.filter,
      options.limit,
      options.offset,
      options.after,
      options.containing,
    ]);
    const loader: PageLoader =
      loadersOfSource.get(key) ?? new DataLoader((names) => source.list(scope, names, options));
    loadersOfSource.set(key, loader);
    return loader.load(name);
  };
}
