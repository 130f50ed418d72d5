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

/** An entry that is not there yet. */
export interface NewEntry {
  /** Missing where the server makes it. */
  readonly id: string | undefined;
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
 * a transaction it uses `scope.db` alone. Entries are written in as many statements as one.
 */
export interface DirectorySource {
  /** Parts of directories that this source keeps, in the order of their names, in one statement. */
  list(scope: Scope, directories: readonly string[], wish: EntriesWish): Promise<EntriesPart[]>;
  /** Those of the entries that there are, in any order, in one statement. */
  find(scope: Scope, keys: readonly EntryKey[], hold?: EntryHold): Promise<Entry[]>;
  /**
   * Adds entries; their ids are missing where the server makes them.
   * @returns them in their order, without those whose ids are taken, be it by one before them.
   */
  create(scope: Scope, directory: Directory, entries: readonly NewEntry[]): Promise<Entry[]>;
  /** Replaces the properties of entries, which are there and are held; the answer is in any order. */
  update(scope: Scope, directory: Directory, entries: readonly Entry[]): Promise<readonly Entry[]>;
  /**
   * Takes entries away, which are there and are held.
   * @throws Conflict when others, of whatever directory, have one of them for a parent.
   */
  delete(scope: Scope, directory: Directory, entries: readonly Entry[]): Promise<void>;
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
