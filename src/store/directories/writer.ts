import { statement } from '../../db/statement.ts';
import type { EntryKey, EntrySource, StoredEntry } from '../../loaders/directories/source.ts';
import type { Directory } from '../../model/model.ts';
import type { StoredProperties } from '../../model/values/stored.ts';
import type { Scope } from '../../scope.ts';
import { inIdOrder, type LockMode } from '../row-locks/lock-order.ts';

/** An entry to create; the id is absent if the server is to generate one. */
export interface UnsavedEntry {
  readonly id: string | undefined;
  readonly properties: StoredProperties;
}

/**
 * The strength of a row lock, which is held until the transaction ends: KEY SHARE prevents deletion, UPDATE prevents
 * every change.
 */
export type EntryLockMode = Extract<LockMode, 'KEY SHARE' | 'UPDATE'>;

/**
 * Writes directory entries to their tables. All access goes through `scope.db`. The caller must have checked
 * permissions and values. The number of statements does not depend on the number of entries.
 */
export interface EntryWriter {
  /**
   * Locks the entries that exist.
   * @returns the locked entries, in any order
   */
  lock(scope: Scope, keys: readonly EntryKey[], mode: EntryLockMode): Promise<StoredEntry[]>;
  /**
   * Creates entries.
   * @returns the created entries in order; entries with taken ids are omitted
   */
  create(scope: Scope, directory: Directory, entries: readonly UnsavedEntry[]): Promise<StoredEntry[]>;
  /**
   * Replaces the properties of locked entries.
   * @returns the entries, in any order
   */
  update(
    scope: Scope,
    directory: Directory,
    entries: readonly StoredEntry[],
  ): Promise<readonly StoredEntry[]>;
  /** Deletes locked entries. @throws Conflict if one of them is the parent of another entry */
  delete(scope: Scope, directory: Directory, entries: readonly StoredEntry[]): Promise<void>;
}

/**
 * Creates the `lock` function of a writer that locks rows with one statement and reads them with another.
 * @param rows the condition of the locking statement, and its values; `values` returns undefined if no row can have the
 * ids
 */
export const lockAndFind =
  (
    source: EntrySource,
    rows: { table: string; where: string; values: (ids: readonly string[]) => unknown[] | undefined },
  ): EntryWriter['lock'] =>
  async (scope, keys, mode) => {
    const values = rows.values(keys.map(({ id }) => id));
    if (!values) return [];
    const lock = statement(`lock-${rows.table}-${mode}`)`
      SELECT FROM ${rows.table} WHERE ${rows.where} ${inIdOrder(mode)}`;
    await scope.db.query(lock, values);
    return source.find(scope, keys);
  };
