import DataLoader from 'dataloader';
import type { Scope } from '../../scope.ts';
import { mayAccessDirectory } from '../../security/directories.ts';
import { textKeyBatchLoader } from '../batch.ts';
import { entryKey, findEntries, servedDirectory, sourceOf } from './index.ts';
import type { EntryKey, EntryListOptions, EntryPage, EntrySource, StoredEntry } from './source.ts';

/** Entries by directory and id; `null` too where the caller may not read the directory. */
export function directoryEntryByKey(scope: Scope): DataLoader<EntryKey, StoredEntry | null, string> {
  const isVisible = ({ directory: name }: EntryKey): boolean => {
    const directory = scope.services.model.directories.get(name);
    return directory !== undefined && mayAccessDirectory(scope.user, directory);
  };
  return textKeyBatchLoader((keys) => findEntries(scope, keys.filter(isVisible)), entryKey, entryKey);
}

type PageLoader = DataLoader<string, EntryPage>;

/**
 * Pages of directories by name, without a check of permissions: one loader for each source and options.
 * @throws NotFound, Invalid when the directory is not served.
 */
export function directoryEntryPages(
  scope: Scope,
): (directory: string, options: EntryListOptions) => Promise<EntryPage> {
  const loaders = new Map<EntrySource, Map<string, PageLoader>>();
  return (name, options) => {
    servedDirectory(scope.services.model, name);
    const source = sourceOf(name) as EntrySource;
    const known = loaders.get(source) ?? new Map<string, PageLoader>();
    loaders.set(source, known);
    const key = JSON.stringify([
      options.filter,
      options.limit,
      options.offset,
      options.after,
      options.containing,
    ]);
    const loader: PageLoader =
      known.get(key) ?? new DataLoader((names) => source.list(scope, names, options));
    known.set(key, loader);
    return loader.load(name);
  };
}
