import type { StoredValue } from '../model/stored.ts';
import type { Scope } from '../scope.ts';
import type { DirectorySource, EntriesPart, EntriesWish, Entry, EntryPlace } from './source.ts';

/** Which rows are wanted, in the words of Prisma. */
export interface Which<Where> {
  readonly where: Where;
  readonly skip: number;
  readonly take: number;
}

/** A table whose rows are the entries of one directory, in the order of their ids. */
export interface OwnTable<Row, Where> {
  readonly directory: string;
  /** What a field must hold, as a condition; nothing where no row can hold it. */
  readonly condition: (field: string, value: StoredValue) => Where | undefined;
  /** The rows that stand behind a place. */
  readonly behind: (place: EntryPlace) => Where;
  readonly and: (conditions: Where[]) => Where;
  /** Rows by their id. */
  readonly read: (scope: Scope, which: Which<Where>) => Promise<Row[]>;
  readonly count: (scope: Scope, where: Where) => Promise<number>;
  readonly entry: (scope: Scope, row: Row) => Entry;
}

/** How the entries of such a table are listed. */
export function listOf<Row, Where>(rows: OwnTable<Row, Where>): DirectorySource['list'] {
  const part = async (scope: Scope, wish: EntriesWish): Promise<EntriesPart> => {
    const wanted = Object.entries(wish.filter).map(([field, value]) => rows.condition(field, value));
    const conditions = wanted.filter((condition) => condition !== undefined);
    if (conditions.length < wanted.length) return { total: 0, entries: [] };
    const where = rows.and([...conditions, ...(wish.after ? [rows.behind(wish.after)] : [])]);
    const found = await rows.read(scope, { where, skip: wish.offset, take: wish.limit });
    const total = await rows.count(scope, rows.and(conditions));
    return { total, entries: found.map((row) => rows.entry(scope, row)) };
  };
  return async (scope, directories, wish) => {
    const [first, ...others] = directories;
    if (first !== rows.directory || others.length > 0) throw new Error(`this keeps ${rows.directory} alone`);
    return [await part(scope, wish)];
  };
}
