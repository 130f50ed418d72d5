import { Invalid, NotFound } from '../errors.ts';
import type { Directory } from '../model/model.ts';
import type { Scope } from '../scope.ts';
import { authTokens } from './auth-tokens.ts';
import { oauth2Clients } from './oauth2-clients.ts';
import { oauth2Tokens } from './oauth2-tokens.ts';
import type { DirectorySource, Entry, EntryKey } from './source.ts';
import { table } from './table.ts';

/** The directories that something else than the table keeps; `null` is for those whose entries are not served here. */
const sources: Readonly<Record<string, DirectorySource | null>> = {
  userDirectory: null,
  groupDirectory: null,
  authTokens,
  oauth2Clients,
  oauth2Tokens,
};

const sourceOf = (directory: string): DirectorySource | null => {
  const own = Object.hasOwn(sources, directory) ? sources[directory] : undefined;
  return own === undefined ? table : own;
};

/** Whether the entries of a directory are served as such. */
export const isServed = (directory: string): boolean => sourceOf(directory) !== null;

/** A directory and what keeps its entries. */
export interface ServedDirectory {
  readonly directory: Directory;
  readonly source: DirectorySource;
}

/**
 * The directory of this name.
 * @throws NotFound when nobody contributed it; Invalid when its entries are not served as such.
 */
export function servedDirectory({ model }: Pick<Scope, 'model'>, name: string): ServedDirectory {
  const directory = contributedDirectory({ model }, name);
  const source = sourceOf(name);
  if (!source) throw new Invalid(`the entries of ${name} are served as users and groups, not here`);
  return { directory, source };
}

/** The directory of this name, served or not. @throws NotFound when nobody contributed it. */
export function contributedDirectory({ model }: Pick<Scope, 'model'>, name: string): Directory {
  const directory = model.directories.get(name);
  if (!directory) throw new NotFound(`Directory ${name} was not found`);
  return directory;
}

/** One text for each key. */
export const entryKey = ({ directory, id }: EntryKey): string => JSON.stringify([directory, id]);

/** Those of the entries that there are, of whatever directories: one statement for all that the table keeps. */
export async function findEntries(scope: Scope, keys: readonly EntryKey[]): Promise<Entry[]> {
  const bySource = new Map<DirectorySource, Map<string, EntryKey>>();
  for (const key of keys) {
    const source = sourceOf(key.directory);
    if (!source) continue;
    const wanted = bySource.get(source) ?? new Map<string, EntryKey>();
    bySource.set(source, wanted.set(entryKey(key), key));
  }
  const found: Entry[] = [];
  // One after the other: within a transaction there is one connection.
  for (const [source, wanted] of bySource) found.push(...(await source.find(scope, [...wanted.values()])));
  return found;
}
