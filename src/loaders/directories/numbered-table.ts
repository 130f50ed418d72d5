import { type DedicatedTable, listFromTable } from './dedicated-table.ts';
import type { EntrySource } from './source.ts';

const maxNumber = 2 ** 31 - 1;

/** The number of a row by its id as an entry; `undefined` where no row can have it. */
export function rowNumber(id: string): number | undefined {
  const number = Number(id);
  return /^[1-9]\d{0,9}$/.test(id) && number <= maxNumber ? number : undefined;
}

/** A table whose rows are the entries of one directory, numbered by the database. */
interface NumberedTable<Row, Where> extends Omit<DedicatedTable<Row, Where>, 'rowsAfter'> {
  readonly whereIds: (ids: { in: number[] } | { gt: number }) => Where;
}

export const numberedSource = <Row, Where>(table: NumberedTable<Row, Where>): EntrySource => ({
  list: listFromTable({
    ...table,
    rowsAfter: ({ id }) => table.whereIds({ gt: rowNumber(id) ?? maxNumber }),
  }),
  find: async (scope, keys) => {
    const ids = keys.map(({ id }) => rowNumber(id)).filter((id) => id !== undefined);
    if (ids.length === 0) return [];
    const found = await table.read(scope, {
      where: table.whereIds({ in: ids }),
      skip: 0,
      take: ids.length,
    });
    return found.map((row) => table.entry(scope, row));
  },
});
