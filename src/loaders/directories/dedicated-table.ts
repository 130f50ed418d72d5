import type { StoredValue } from '../../model/values/stored.ts';
import type { Scope } from '../../scope.ts';
import type {
  EntryListOptions,
  EntryPage,
  EntryPosition,
  EntryScope,
  EntrySource,
  StoredEntry,
} from './source.ts';

interface FindManyOptions<Where> {
  readonly where: Where;
  readonly skip: number;
  readonly take: number;
}

/** A database table whose rows are the entries of one directory, ordered by id. */
export interface DedicatedTable<Row, Where> {
  readonly directory: string;
  /** The condition that a field has the given value; `undefined` if no row can have the value. */
  readonly condition: (field: string, value: StoredValue) => Where | undefined;
  readonly rowsAfter: (position: EntryPosition) => Where;
  readonly allOf: (conditions: Where[]) => Where;
  readonly read: (scope: EntryScope, options: FindManyOptions<Where>) => Promise<Row[]>;
  readonly count: (scope: Scope, where: Where) => Promise<number>;
  readonly entry: (scope: EntryScope, row: Row) => StoredEntry;
}

/** Creates the `list` function of an entry source that reads from the table. */
export function listFromTable<Row, Where>(table: DedicatedTable<Row, Where>): EntrySource['list'] {
  const page = async (scope: Scope, options: EntryListOptions): Promise<EntryPage> => {
    const filters = Object.entries(options.filter);
    const conditions = filters
      .map(([field, value]) => table.condition(field, value))
      .filter((condition) => condition !== undefined);
    if (conditions.length < filters.length) return { total: 0, entries: [] };
    const where = table.allOf([...conditions, ...(options.after ? [table.rowsAfter(options.after)] : [])]);
    const found = await table.read(scope, { where, skip: options.offset, take: options.limit });
    const total = await table.count(scope, table.allOf(conditions));
    return { total, entries: found.map((row) => table.entry(scope, row)) };
  };
  return async (scope, directories, options) => {
    const [first, ...others] = directories;
    if (first !== table.directory || others.length > 0)
      throw new Error(`This source lists only the directory ${table.directory}.`);
    return [await page(scope, options)];
  };
}
