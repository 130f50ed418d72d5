import { type Columns, type ColumnsFor, nullableColumns } from '../../db/columns.ts';
import type { Statement } from '../../db/statement.ts';
import { Invalid } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import type { Access } from '../acls/access.ts';
import { readLargeProperties } from '../documents/document-row.ts';
import { nextCursor, type PositionKeys, readCursor } from './list-cursor.ts';
import type { ListDefinition, ListFilter, ListPageArguments, ListRequest } from './list-definition.ts';
import { listStatement } from './list-statement.ts';
import {
  type BoundedPage,
  bounded,
  loaderPerArguments,
  type PageResult,
  type PageResultRow,
  pageLoader,
  pagesByKey,
} from './page-loader.ts';

/**
 * Reads a page of a list: of one key's entries, or of all when no key is given.
 * @throws Invalid for a cursor of another list
 */
type ListLoader<Filter, Row> = (
  filter: { readonly [Name in keyof Filter]?: Filter[Name] | undefined },
  page: ListPageArguments,
  key?: string,
) => Promise<PageResult<Row>>;

/** Where an entry is no document, the columns that its SELECT list has. */
type WithRow<Row> =
  | { readonly columns: string; readonly row: ColumnsFor<Row> }
  | { readonly columns?: never };

// A list with a condition for each filter that its loader accepts.
type FilteredList<Filter, Row> = ListDefinition &
  WithRow<Row> & {
    readonly filters?: {
      readonly [Name in keyof Filter]-?: ListFilter<NonNullable<Filter[Name]>>;
    };
  };

/** The columns of the rows of pages, in which an empty page has no entry. */
function rowsOf(entry: Columns | undefined): Readonly<Record<'numbered' | 'positioned', Columns>> {
  const page: Columns = { of: 'uuid?', listTotal: 'int4?' };
  const numbered: Columns = entry
    ? { ...page, ...nullableColumns(entry), part: 'int4?', at: 'int8?' }
    : { ...page, row: 'json?' };
  return { numbered, positioned: entry ? { ...numbered, positionKeys: 'json?' } : numbered };
}

const positionOf = (row: object): PositionKeys =>
  (row as { readonly positionKeys: PositionKeys }).positionKeys;

/** @throws Invalid for a text that PostgreSQL has no place for. */
function requireTexts(filters: ReadonlyArray<readonly [name: string, value: unknown]>): void {
  for (const [name, value] of filters)
    if ([value].flat().some((one) => typeof one === 'string' && one.includes('\0')))
      throw new Invalid(`${name}: a text with the character NUL`);
}

/** An entry whose document is gone by then is an empty one. */
async function withLargeProperties<Row>(
  scope: Scope,
  found: ReadonlyArray<PageResultRow<Row>>,
): Promise<ReadonlyArray<PageResultRow<Row>>> {
  const rows = found.flatMap((each) => ('row' in each && each.row ? [each.row] : []));
  const there = await readLargeProperties(scope, rows);
  if (there.length === rows.length) return found;
  const isThere = new Set(there);
  return found.map((each) =>
    'row' in each && each.row && !isThere.has(each.row) ? { ...each, row: null } : each,
  );
}

/**
 * Makes the loader of a list. One statement reads the pages of many keys. Absent filters are not in it, so
 * that each set of filters has a plan of its own.
 */
export const defineList = <Filter extends object, Row extends object>(list: FilteredList<Filter, Row>) => {
  const rows = rowsOf('row' in list ? list.row : undefined);
  return (scope: Scope, { now }: Pick<Access, 'now'>): ListLoader<Filter, Row> => {
    const read = async (
      request: ListRequest,
      keys: readonly string[] | null,
    ): Promise<ReadonlyMap<string | null, BoundedPage<Row>>> => {
      const { statement, values, limit } = listStatement(list, request, keys, { ...scope, now });
      const columns = request.from ? rows.positioned : rows.numbered;
      const query: Statement<PageResultRow<Row>> = { ...statement, columns };
      const found = await scope.db.query(query, values);
      const pages = pagesByKey<Row>(list.columns ? found : await withLargeProperties(scope, found));
      return request.from
        ? new Map([...pages].map(([key, page]) => [key, bounded(page, limit, positionOf)]))
        : pages;
    };
    const pageOfKey = loaderPerArguments((request: ListRequest) => pageLoader((keys) => read(request, keys)));
    const load = async (request: ListRequest, key?: string): Promise<BoundedPage<Row>> => {
      if (key !== undefined) return pageOfKey(key, request);
      const [whole] = (await read(request, null)).values();
      return whole ?? { total: 0, rows: [] };
    };
    return async (filter, given, key) => {
      const {
        pageSize,
        offset,
        maxResults,
        sortBy,
        sortOrder,
        hasSharedLimit,
        largest,
        shownPrefixes,
        cursor,
      } = given;
      const filters = Object.entries(filter).filter(([, value]) => value !== undefined);
      requireTexts(filters);
      const page = {
        pageSize,
        offset,
        maxResults,
        sortBy,
        sortOrder,
        hasSharedLimit,
        largest,
        shownPrefixes,
      };
      if (cursor === undefined) return load({ filters, page }, key);
      const identity = [list.name, scope.options.repository, key, filters, sortBy, sortOrder];
      const from = readCursor(identity, cursor);
      const there = { ...page, offset: from.offset };
      const { last, ...shown } = await load({ filters, page: there, from }, key);
      const next = nextCursor(identity, there, shown.rows.length, last);
      return { ...shown, offset: from.offset, nextCursor: next };
    };
  };
};
