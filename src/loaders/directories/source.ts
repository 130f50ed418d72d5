import type { Directory } from '../../model/model.ts';
import type { StoredProperties } from '../../model/values/stored.ts';
import type { Scope, Using } from '../../scope.ts';

export interface EntryKey {
  readonly directory: string;
  readonly id: string;
}

export interface StoredEntry extends EntryKey {
  /** The set fields by name, all but the id. */
  readonly properties: StoredProperties;
}

/** The position of an entry in its directory: by `ordering`, then by id. */
export interface EntryPosition {
  readonly ordering: number;
  readonly id: string;
}

export interface EntryListOptions {
  readonly filter: StoredProperties;
  /**
   * Only entries with this text in a field or the id, in any case, and entries with message keys: texts of
   * keys are not stored. It may leave others among them. Sources of few entries ignore it.
   */
  readonly containing?: string;
  readonly limit: number;
  /** Entries before the first; counted from `after` where that is given. */
  readonly offset: number;
  /** Only the entries behind this position. */
  readonly after: EntryPosition | undefined;
}

export interface EntryPage {
  readonly total: number;
  readonly entries: readonly StoredEntry[];
}

/** What finding entries by their keys may use. */
export type EntryScope = Pick<Scope, 'db'> & Using<'secrets'>;

/**
 * Reads the entries of directories from where they are stored, through `scope.db` alone. The caller has
 * checked permissions. `store/directories/writer.ts` is the counterpart that writes.
 */
export interface EntrySource {
  /** One page of each of these directories, in the order of their names, in one statement. */
  list(scope: Scope, directories: readonly string[], options: EntryListOptions): Promise<EntryPage[]>;
  /** The entries among these that exist, in any order, in one statement. */
  find(scope: EntryScope, keys: readonly EntryKey[]): Promise<StoredEntry[]>;
}

/** Sorts entries without a value for `ordering` behind all others. */
const defaultOrdering = 10_000_000;

export function entryPosition(
  { generatesIds }: Directory,
  { id, properties }: Omit<StoredEntry, 'directory'>,
): EntryPosition {
  const { ordering } = properties;
  if (generatesIds) return { ordering: Number(id), id };
  return { ordering: typeof ordering === 'number' ? ordering : defaultOrdering, id };
}
