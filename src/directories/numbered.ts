import type { Scope } from '../scope.ts';
import { listOf, type OwnTable } from './own-table.ts';
import type { Entry, EntryHold, EntryKey } from './source.ts';

/** The number that an id is; nothing where no row can have it. */
function numberOf(id: string): number | undefined {
  const number = Number(id);
  return /^[1-9]\d{0,9}$/.test(id) && number < 2 ** 31 ? number : undefined;
}

/** A table whose rows are the entries of one directory, numbered by the database. */
export interface NumberedTable<Row, Where> extends Omit<OwnTable<Row, Where>, 'behind'> {
  /** In SQL. */
  readonly table: string;
  readonly ids: (ids: { in: number[] } | { gt: number }) => Where;
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
  return {
    list: listOf({ ...rows, behind: ({ id }) => rows.ids({ gt: numberOf(id) ?? most }) }),
    find: async (scope: Scope, keys: readonly EntryKey[], how?: EntryHold): Promise<Entry[]> => {
      const ids = keys.map(({ id }) => numberOf(id)).filter((id) => id !== undefined);
      if (ids.length === 0) return [];
      if (how) await hold(scope, rows.table, ids, how);
      const found = await rows.read(scope, { where: rows.ids({ in: ids }), skip: 0, take: ids.length });
      return found.map((row) => rows.entry(scope, row));
    },
  };
}
