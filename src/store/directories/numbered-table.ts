import { rowNumber } from '../../loaders/directories/numbered-table.ts';
import type { EntrySource } from '../../loaders/directories/source.ts';
import { type EntryWriter, lockAndFind } from './writer.ts';

/** Creates the `lock` function for a directory whose entries are rows with numeric ids. */
export const lockNumbered = (source: EntrySource, table: string): EntryWriter['lock'] =>
  lockAndFind(source, {
    table,
    where: 'id = ANY($1::int[])',
    values: (ids) => {
      const numbers = ids.map(rowNumber).filter((id) => id !== undefined);
      return numbers.length > 0 ? [numbers] : undefined;
    },
  });
