import type { Directory } from '../model/model.ts';
import type { StoredProperties } from '../model/stored.ts';
import type { Scope } from '../scope.ts';

/** Names one entry of all directories. */
export interface EntryKey {
  readonly directory: string;
  readonly id: string;
}

/** An entry of a directory, whatever keeps it. */
export interface Entry extends EntryKey {
  /** The set fields by name, all but the id. */
  readonly properties: StoredProperties;
}

/** Where an entry stands in its directory: by `ordering`, then by id. */
export interface EntryPlace {
  readonly ordering: number;
  readonly id: string;
}

/** Which part of a directory's entries is wanted. */
export interface EntriesWish {
  /** Values by field that the entries must have. */
  readonly filter: StoredProperties;
  readonly limit: number;
  /** Entries before the first; counted from `after` where that is given. */
  readonly offset: number;
  /** The entries behind this place only. */
  readonly after: EntryPlace | undefined;
}

/** Some entries in their order, and how many fit the filter in all. */
export interface EntriesPart {
  readonly total: number;
  readonly entries: readonly Entry[];
}

/** How rows are held until the end of the transaction: against a delete, or against every change. */
export type EntryHold = 'KEY SHARE' | 'UPDATE';

/**
 * What keeps the entries of directories. Rights, types and constraints have been seen to before one is asked; within
 * a transaction it uses `scope.db` alone.
 */
export interface DirectorySource {
  /** Parts of directories that this source keeps, in the order of their names, in one statement. */
  list(scope: Scope, directories: readonly string[], wish: EntriesWish): Promise<EntriesPart[]>;
  /** Those of the entries that there are, in any order, in one statement. */
  find(scope: Scope, keys: readonly EntryKey[], hold?: EntryHold): Promise<Entry[]>;
  /**
   * Adds an entry; its id is missing where the server makes the ids.
   * @returns undefined when the id is taken.
   */
  create(
    scope: Scope,
    directory: Directory,
    entry: { id: string | undefined; properties: StoredProperties },
  ): Promise<Entry | undefined>;
  /** Replaces the properties of an entry, which is there and is held. */
  update(scope: Scope, directory: Directory, entry: Entry): Promise<Entry>;
  /**
   * Takes an entry away, which is there and is held.
   * @throws Conflict when entries of other directories, or of its own, have it for a parent.
   */
  delete(scope: Scope, directory: Directory, entry: Entry): Promise<void>;
}

/** What an entry counts as that says nothing of its own. */
const defaultOrdering = 10_000_000;

/** Where an entry stands among those of its directory. */
export function placeOf(
  { generatesIds }: Directory,
  { id, properties }: Omit<Entry, 'directory'>,
): EntryPlace {
  const { ordering } = properties;
  if (generatesIds) return { ordering: Number(id), id };
  return { ordering: typeof ordering === 'number' ? ordering : defaultOrdering, id };
}
