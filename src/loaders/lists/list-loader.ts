import { type Columns, type ColumnsFor, nullableColumns } from '../../db/columns.ts';
import type { Statement } from '../../db/statement.ts';
import { Invalid } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import type { Access } from '../acls/access.ts';
import { readLargeProperties } from '../documents/document-row.ts';
import { nextCursor, type PositionKeys, readCursor } from './list-cursor.ts';
import type { ListDefinition, ListFilter, ListPageArguments, ListRequest } from './list-definition.ts';
import { countLimitOf, listStatement } from './list-statement.ts';
import { tooManyToCount, unlimited } from './page.ts';
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
 * Reads a page of a list.
 * @param key selects the entries to list, for example the id of a parent; if absent, all entries of the list are read
 * @throws Invalid for a cursor that belongs to another list
 */
type ListLoader<Filter, Row> = (
  filter: { readonly [Name in keyof Filter]?: Filter[Name] | undefined },
  page: ListPageArguments,
  key?: string,
) => Promise<PageResult<Row>>;

/** The SELECT list for a list's entries and the types of its columns. Lists of documents need neither. */
type WithRow<Row> =
  | { readonly columns: string; readonly row: ColumnsFor<Row> }
  | { readonly columns?: never };

/** A list definition that has a condition for each filter that its loader accepts. */
type FilteredList<Filter, Row> = ListDefinition &
  WithRow<Row> & {
    readonly filters?: {
      readonly [Name in keyof Filter]-?: ListFilter<NonNullable<Filter[Name]>>;
    };
  };

/**
 * Returns the column types of the results for pages read by number and for pages read by cursor. The columns of an
 * entry are nullable, because an empty page is returned as a row without an entry.
 */
function rowsOf(entry: Columns | undefined): Readonly<Record<'numbered' | 'positioned', Columns>> {
  const page: Columns = { of: 'uuid?', listTotal: 'int4?' };
  const numbered: Columns = entry
    ? { ...page, ...nullableColumns(entry), part: 'int4?', at: 'int8?' }
    : { ...page, row: 'json?' };
  return { numbered, positioned: entry ? { ...numbered, positionKeys: 'json?' } : numbered };
}

const positionOf = (row: object): PositionKeys =>
  (row as { readonly positionKeys: PositionKeys }).positionKeys;

/**
 * Checks the values of filters.
 * @throws Invalid for a string that PostgreSQL cannot represent
 */
function requireTexts(filters: ReadonlyArray<readonly [name: string, value: unknown]>): void {
  for (const [name, value] of filters)
    if ([value].flat().some((one) => typeof one === 'string' && one.includes('\0')))
      throw new Invalid(`${name} must not contain the character NUL.`);
}

/**
 * Reads the large properties of the documents on pages. The entry of a document that has just been deleted becomes
 * null.
 */
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
 * Replaces the total of a page with `tooManyToCount` if its list has more entries than are counted.
 * @param limit the number of entries on a full page; a page with fewer entries is the last one, so its total is known
 */
function withKnownTotal<Row>(
  page: BoundedPage<Row>,
  countLimit: number,
  { offset, maxResults = unlimited }: ListRequest['page'],
  limit: number,
): BoundedPage<Row> {
  const { total, rows } = page;
  if (total <= countLimit) return page;
  if (rows.length > 0 && rows.length < limit)
    return { ...page, total: Math.min(offset + rows.length, maxResults) };
  return { ...page, total: tooManyToCount, countLimit };
}

/**
 * Creates the loader of a list from its definition. Pages of many keys with equal arguments that are requested in one
 * turn of the event loop are read with one statement, so the number of statements does not grow with the number of
 * entries. The statement contains only the filters that are set, so PostgreSQL has a suitable plan for each set of
 * filters.
 */
export const defineList = <Filter extends object, Row extends object>(list: FilteredList<Filter, Row>) => {
  const rows = rowsOf('row' in list ? list.row : undefined);
  return (scope: Scope, { now, readable }: Pick<Access, 'now' | 'readable'>): ListLoader<Filter, Row> => {
    const countLimit = countLimitOf(list, scope.services);
    const read = async (
      request: ListRequest,
      keys: readonly string[] | null,
    ): Promise<ReadonlyMap<string | null, BoundedPage<Row>>> => {
      const { statement, values, limit } = listStatement(list, request, keys, {
        ...scope,
        now,
        readable: readable(),
      });
      const columns = request.from ? rows.positioned : rows.numbered;
      const query: Statement<PageResultRow<Row>> = { ...statement, columns };
      const found = await scope.db.query(query, values);
      const pages = pagesByKey<Row>(list.columns ? found : await withLargeProperties(scope, found));
      if (!request.from && countLimit === undefined) return pages;
      return new Map(
        [...pages].map(([key, read]) => {
          const page = request.from ? bounded(read, limit, positionOf) : read;
          return [
            key,
            countLimit === undefined ? page : withKnownTotal(page, countLimit, request.page, limit),
          ];
        }),
      );
    };
    const pageOfKey = loaderPerArguments((request: ListRequest) => pageLoader((keys) => read(request, keys)));
    const load = async (request: ListRequest, key?: string): Promise<BoundedPage<Row>> => {
      if (key !== undefined) return pageOfKey(key, request);
      const [whole] = (await read(request, null)).values();
      return whole ?? { total: 0, rows: [] };
    };
    return async (filter, page, key) => {
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
      } = page;
      const filters = Object.entries(filter).filter(([, value]) => value !== undefined);
      requireTexts(filters);
      const pageOptions = {
        pageSize,
        offset,
        maxResults,
        sortBy,
        sortOrder,
        hasSharedLimit,
        largest,
        shownPrefixes,
      };
      if (cursor === undefined) return load({ filters, page: pageOptions }, key);
      const identity = [list.name, scope.options.repository, key, filters, sortBy, sortOrder];
      const from = readCursor(identity, cursor);
      const pageAtCursor = { ...pageOptions, offset: from.offset };
      const { last, ...shown } = await load({ filters, page: pageAtCursor, from }, key);
      const next = nextCursor(identity, pageAtCursor, shown.rows.length, last);
      return { ...shown, offset: from.offset, nextCursor: next };
    };
  };
};
