import { statement } from '../../db/statement.ts';
import type { EntryKey, EntrySource, StoredEntry } from '../../loaders/directories/source.ts';
import type { Directory } from '../../model/model.ts';
import type { StoredProperties } from '../../model/values/stored.ts';
import type { Scope } from '../../scope.ts';
import { inIdOrder, type LockMode } from '../row-locks/lock-order.ts';

/** An entry without an id where the server makes the ids. */
export interface UnsavedEntry {
  readonly id: string | undefined;
  readonly properties: StoredProperties;
}

/** Row locks until the end of the transaction: against deletion, or against every change. */
export type EntryLockMode = Extract<LockMode, 'KEY SHARE' | 'UPDATE'>;

/**
 * Writes the entries of directories to where they are stored, through `scope.db` alone. The caller has
 * checked permissions and values. The number of statements does not depend on the number of entries.
 */
export interface EntryWriter {
  /** Locks the entries among these that exist. @returns them in any order. */
  lock(scope: Scope, keys: readonly EntryKey[], mode: EntryLockMode): Promise<StoredEntry[]>;
  /** @returns the entries in their order, without those whose ids are taken. */
  create(scope: Scope, directory: Directory, entries: readonly UnsavedEntry[]): Promise<StoredEntry[]>;
  /** Replaces the properties of locked entries. @returns them in any order. */
  update(
    scope: Scope,
    directory: Directory,
    entries: readonly StoredEntry[],
  ): Promise<readonly StoredEntry[]>;
  /** Deletes locked entries. @throws Conflict when other entries have one of them as parent. */
  delete(scope: Scope, directory: Directory, entries: readonly StoredEntry[]): Promise<void>;
}

/**
 * The `lock` of a writer that locks rows by one statement and reads them by another.
 * @param rows the locking statement; without `values` no row can have these ids.
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
