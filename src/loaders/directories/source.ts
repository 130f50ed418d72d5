import type { Directory } from '../../model/model.ts';
import type { StoredProperties } from '../../model/values/stored.ts';
import type { Scope, Using } from '../../scope.ts';

export interface EntryKey {
  readonly directory: string;
  readonly id: string;
}

export interface StoredEntry extends EntryKey {
  /** The values of the fields that are set, by field name, except for the id. */
  readonly properties: StoredProperties;
}

/** The position of an entry in its directory, which is ordered by `ordering`, then by id. */
export interface EntryPosition {
  readonly ordering: number;
  readonly id: string;
}

export interface EntryListOptions {
  readonly filter: StoredProperties;
  /**
   * A string that the id or a field of an entry must contain, ignoring case. This is only a coarse filter, so the
   * caller has to filter again: entries whose label is a message key always pass, because the database does not contain
   * the text for the key, and sources with few entries ignore the filter.
   */
  readonly containing?: string;
  readonly limit: number;
  /** The number of entries to skip, counted from `after` if it is set. */
  readonly offset: number;
  /** Restricts the result to entries after this position. */
  readonly after: EntryPosition | undefined;
}

export interface EntryPage {
  readonly total: number;
  readonly entries: readonly StoredEntry[];
}

/** The part of a scope that is needed to find entries by key. */
export type EntryScope = Pick<Scope, 'db'> & Using<'secrets'>;

/**
 * Reads directory entries from the table that stores them. All statements go through `scope.db`, so that they belong to
 * the caller's transaction. The caller must have checked permissions. `store/directories/writer.ts` is the counterpart
 * for writing.
 */
export interface EntrySource {
  /** Reads one page of each directory with one statement. The pages are in the order of the given names. */
  list(scope: Scope, directories: readonly string[], options: EntryListOptions): Promise<EntryPage[]>;
  /** Finds the entries with the given keys with one statement, in any order. Entries that do not exist are omitted. */
  find(scope: EntryScope, keys: readonly EntryKey[]): Promise<StoredEntry[]>;
}

/** The `ordering` of entries that have none, which places them after all others. */
const defaultOrdering = 10_000_000;

export function entryPosition(
  { generatesIds }: Directory,
  { id, properties }: Omit<StoredEntry, 'directory'>,
): EntryPosition {
  const { ordering } = properties;
  if (generatesIds) return { ordering: Number(id), id };
  return { ordering: typeof ordering === 'number' ? ordering : defaultOrdering, id };
}
