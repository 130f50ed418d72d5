import { type DedicatedTable, listFromTable } from './dedicated-table.ts';
import type { EntrySource } from './source.ts';

const maxNumber = 2 ** 31 - 1;

/** The row number that an entry id stands for; `undefined` if no row can have it. */
export function rowNumber(id: string): number | undefined {
  const number = Number(id);
  return /^[1-9]\d{0,9}$/.test(id) && number <= maxNumber ? number : undefined;
}

/** A dedicated table whose row ids are numbers that the database assigns. */
interface NumberedTable<Row, Where> extends Omit<DedicatedTable<Row, Where>, 'rowsAfter'> {
  readonly whereIds: (ids: { in: number[] } | { gt: number }) => Where;
}

/** Creates an entry source that reads from a numbered table. */
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
