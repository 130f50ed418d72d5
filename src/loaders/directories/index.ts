import { Invalid, NotFound } from '../../errors.ts';
import { isTurnOver, yieldToEventLoop } from '../../event-loop.ts';
import type { Directory, Model } from '../../model/model.ts';
import { unknownName } from '../../near-names.ts';
import { authTokenSource } from './auth-tokens.ts';
import { oauth2ClientSource } from './oauth2-clients.ts';
import { oauth2TokenSource } from './oauth2-tokens.ts';
import type { EntryKey, EntryScope, EntrySource, StoredEntry } from './source.ts';
import { tableSource } from './table.ts';

/** The directories whose entries are not in the table of entries; `null` where clients get no entries. */
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

/** False for the directories of users and groups, whose entries are served as users and groups only. */
export const hasEntries = ({ name }: Directory): boolean => sourceOf(name) !== null;

/**
 * A directory whose entries are served as such.
 * @throws NotFound when it is not contributed; Invalid when it is the directory of users or groups.
 */
export function servedDirectory(model: Model, name: string): Directory {
  const directory = contributedDirectory(model, name);
  if (!sourceOf(name)) throw new Invalid(`the entries of ${name} are served as users and groups, not here`);
  return directory;
}

/** The message for a directory that is not contributed; it suggests none of those for administrators. */
export const unknownDirectory = ({ directories }: Pick<Model, 'directories'>, name: string): string =>
  unknownName(
    'directory',
    name,
    [...directories.values()].filter(({ isSystem }) => !isSystem).map((directory) => directory.name),
  );

/** The directory of this name, served or not. @throws NotFound when it is not contributed. */
export function contributedDirectory(model: Model, name: string): Directory {
  const directory = model.directories.get(name);
  if (!directory) throw new NotFound(unknownDirectory(model, name));
  return directory;
}

/** No name of a directory has NUL. */
export const entryKey = ({ directory, id }: EntryKey): string => `${directory}\0${id}`;

/** The entries among these that exist: one statement for each source, whatever the number of directories. */
export async function findEntries(scope: EntryScope, keys: readonly EntryKey[]): Promise<StoredEntry[]> {
  const bySource = new Map<EntrySource, Map<string, EntryKey>>();
  for (const key of keys) {
    if (isTurnOver()) await yieldToEventLoop();
    const source = sourceOf(key.directory);
    if (!source) continue;
    const wanted = bySource.get(source) ?? new Map<string, EntryKey>();
    bySource.set(source, wanted.set(entryKey(key), key));
  }
  const found: StoredEntry[] = [];
  // In sequence: a transaction has one connection.
  for (const [source, wanted] of bySource) found.push(...(await source.find(scope, [...wanted.values()])));
  return found;
}
