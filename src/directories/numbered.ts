import type { StoredValue } from '../model/stored.ts';
import type { Scope } from '../scope.ts';
import type { EntriesPart, EntriesWish, Entry, EntryHold, EntryKey } from './source.ts';

/** The number that an id is; nothing where no row can have it. */
export function numberOf(id: string): number | undefined {
  const number = Number(id);
  return /^[1-9]\d{0,9}$/.test(id) && number < 2 ** 31 ? number : undefined;
}

/** Which rows are wanted, in the words of Prisma. */
export interface Which<Where> {
  readonly where: Where;
  readonly skip: number;
  readonly take: number;
}

/** A table whose rows are the entries of one directory, numbered by the database. */
export interface NumberedTable<Row, Where> {
  readonly directory: string;
  /** In SQL. */
  readonly table: string;
  /** What a field must hold, as a condition; nothing where no row can hold it. */
  readonly condition: (field: string, value: StoredValue) => Where | undefined;
  readonly ids: (ids: { in: number[] } | { gt: number }) => Where;
  readonly and: (conditions: Where[]) => Where;
  /** Rows by their number. */
  readonly read: (scope: Scope, which: Which<Where>) => Promise<Row[]>;
  readonly count: (scope: Scope, where: Where) => Promise<number>;
  readonly entry: (scope: Scope, row: Row) => Entry;
}

const most = 2 ** 31 - 1;

async function hold({ db }: Scope, table: string, ids: readonly number[], how: EntryHold): Promise<void> {
  const name = `hold-${table}-${how.toLowerCase().replace(' ', '-')}`;
  await db.query({ name, text: `SELECT FROM ${table} WHERE id = ANY($1::int[]) ORDER BY id FOR ${how}` }, [
    ids,
  ]);
}

/** How entries are read that such a table keeps. */
export function numberedReads<Row, Where>(rows: NumberedTable<Row, Where>) {
  const part = async (scope: Scope, wish: EntriesWish): Promise<EntriesPart> => {
    const wanted = Object.entries(wish.filter).map(([field, value]) => rows.condition(field, value));
    const conditions = wanted.filter((condition) => condition !== undefined);
    if (conditions.length < wanted.length) return { total: 0, entries: [] };
    const behind = wish.after ? [rows.ids({ gt: numberOf(wish.after.id) ?? most })] : [];
    const where = rows.and([...conditions, ...behind]);
    const found = await rows.read(scope, { where, skip: wish.offset, take: wish.limit });
    const total = await rows.count(scope, rows.and(conditions));
    return { total, entries: found.map((row) => rows.entry(scope, row)) };
  };
  return {
    list: async (scope: Scope, directories: readonly string[], wish: EntriesWish): Promise<EntriesPart[]> => {
      const [first, ...others] = directories;
      if (first !== rows.directory || others.length > 0)
        throw new Error(`this keeps ${rows.directory} alone`);
      return [await part(scope, wish)];
    },
    find: async (scope: Scope, keys: readonly EntryKey[], how?: EntryHold): Promise<Entry[]> => {
      const ids = keys.map(({ id }) => numberOf(id)).filter((id) => id !== undefined);
      if (ids.length === 0) return [];
      if (how) await hold(scope, rows.table, ids, how);
      const found = await rows.read(scope, { where: rows.ids({ in: ids }), skip: 0, take: ids.length });
      return found.map((row) => rows.entry(scope, row));
    },
  };
}
