import { Invalid, NotFound } from '../../errors.ts';
import { isTurnOver, yieldToEventLoop } from '../../event-loop.ts';
import type { Directory, Model } from '../../model/model.ts';
import { unknownName } from '../../near-names.ts';
import { authTokenSource } from './auth-tokens.ts';
import { oauth2ClientSource } from './oauth2-clients.ts';
import { oauth2TokenSource } from './oauth2-tokens.ts';
import type { EntryKey, EntryScope, EntrySource, StoredEntry } from './source.ts';
import { tableSource } from './table.ts';

/**
 * The sources of directories whose entries are not stored in the table `directory_entry`; `null` for users and groups,
 * which are not exposed as entries.
 */
const sources: Readonly<Record<string, EntrySource | null>> = {
  userDirectory: null,
  groupDirectory: null,
  authTokens: authTokenSource,
  oauth2Clients: oauth2ClientSource,
  oauth2Tokens: oauth2TokenSource,
};

export const sourceOf = (directory: string): EntrySource | null => {
  const own = Object.hasOwn(sources, directory) ? sources[directory] : undefined;
  return own === undefined ? tableSource : own;
};

/**
 * Whether the entries of a directory are exposed to clients. Users and groups are not, because they have their own
 * endpoints.
 */
export const hasEntries = ({ name }: Directory): boolean => sourceOf(name) !== null;

/**
 * Returns a directory whose entries are exposed to clients.
 * @throws NotFound if the directory does not exist; Invalid for the directories of users and groups
 */
export function servedDirectory(model: Model, name: string): Directory {
  const directory = contributedDirectory(model, name);
  if (!sourceOf(name))
    throw new Invalid(`${name} is not served as a directory. Use the endpoints for users and groups.`);
  return directory;
}

/**
 * The message for an unknown directory. It suggests similar names, except those of directories that only administrators
 * can read.
 */
export const unknownDirectory = ({ directories }: Pick<Model, 'directories'>, name: string): string =>
  unknownName(
    'directory',
    name,
    [...directories.values()].filter(({ isSystem }) => !isSystem).map((directory) => directory.name),
  );

/**
 * Returns any directory of the model, including those of users and groups.
 * @throws NotFound if it does not exist
 */
export function contributedDirectory(model: Model, name: string): Directory {
  const directory = model.directories.get(name);
  if (!directory) throw new NotFound(unknownDirectory(model, name));
  return directory;
}

/**
 * A string that identifies an entry. It is unambiguous, because names of directories cannot contain a NUL character.
 */
export const entryKey = ({ directory, id }: EntryKey): string => `${directory}\0${id}`;

/**
 * Finds the entries with the given keys; entries that do not exist are omitted. Sends one statement per entry source.
 */
export async function findEntries(scope: EntryScope, keys: readonly EntryKey[]): Promise<StoredEntry[]> {
  const bySource = new Map<EntrySource, Map<string, EntryKey>>();
  for (const key of keys) {
    if (isTurnOver()) await yieldToEventLoop();
    const source = sourceOf(key.directory);
    if (!source) continue;
    const keysOfSource = bySource.get(source) ?? new Map<string, EntryKey>();
    bySource.set(source, keysOfSource.set(entryKey(key), key));
  }
  const found: StoredEntry[] = [];
  // The sources are read one after the other, because a transaction has only one connection.
  for (const [source, keysOfSource] of bySource)
    found.push(...(await source.find(scope, [...keysOfSource.values()])));
  return found;
}
