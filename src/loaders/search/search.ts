import DataLoader from 'dataloader';
import { type RowWith, typed } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { composed } from '../../db/statement.ts';
import type { Query, Sort } from '../../query/ast.ts';
import { afterSql, ascending, isByRelevance, type OrderKey } from '../../query/order-sql.ts';
import { SqlParameters } from '../../query/parameters.ts';
import type { Scope } from '../../scope.ts';
import type { Access } from '../acls/access.ts';
import { fewReadableAcls } from '../acls/few-acls.ts';
import {
  type DocumentRow,
  documentColumnsShowing,
  documentColumnsWithoutLarge,
  readLargeProperties,
  reviveDates,
} from '../documents/document-row.ts';
import { type ListPosition, nextCursor, type PositionKeys, readCursor } from '../lists/list-cursor.ts';
import { type PageArguments, pageLimit, tooManyToCount, unlimited } from '../lists/page.ts';
import type { PageResult } from '../lists/page-loader.ts';
import { exceededCounts, type SearchState } from './exceeded-counts.ts';
import { type FoundPosition, pagePositions } from './page-positions.ts';
import { positionedSql } from './positioned-sql.ts';
import { type Beginning, keysOfHits, partsAfter, searchSql } from './search-sql.ts';
import { queryCompiler, searchView } from './search-view.ts';
import { type ComposeQuery, unionLoader } from './union-loader.ts';

interface Plan {
  readonly 'Plan Rows': number;
  readonly 'Subplan Name'?: string;
  readonly Plans?: readonly Plan[];
}

const maxQueries = 20;

const explanation = { 'QUERY PLAN': typed<ReadonlyArray<{ readonly Plan: Plan }>>('json') };

/** Returns a loader for PostgreSQL's estimates of how many documents queries find. One EXPLAIN covers many queries. */
function estimates(scope: Scope, access: Access): DataLoader<Query, number, string> {
  const { db, options } = scope;
  const view = searchView(scope, access);
  const load = async (queries: readonly Query[]): Promise<number[]> => {
    const { begin, foundSql } = await queryCompiler(scope, access, view);
    const parameters = new SqlParameters([options.repository, ...view.values]);
    const tables = queries.map(
      (query, index) => `q${index} AS MATERIALIZED (SELECT d.id ${foundSql(query, begin(parameters))})`,
    );
    const counts = queries.map((_, index) => `(SELECT count(*) FROM q${index})`);
    const { text, values } = parameters.statement(
      `EXPLAIN (FORMAT JSON) WITH ${tables.join(', ')} SELECT ${counts.join(', ')}`,
    );
    const [explained] = await db.query(composed(text, explanation), values);
    const plans = explained?.['QUERY PLAN'][0]?.Plan.Plans ?? [];
    return queries.map(
      (_, index) => plans.find((plan) => plan['Subplan Name'] === `CTE q${index}`)?.['Plan Rows'] ?? 0,
    );
  };
  return new DataLoader(load, { cacheKeyFn: (query) => JSON.stringify(query), maxBatchSize: maxQueries });
}

/** The part of a query's result to read as a page, and its order. `sortBy` replaces the ORDER BY of the query. */
export type SearchPageArguments = Pick<
  PageArguments,
  'pageSize' | 'offset' | 'maxResults' | 'sortBy' | 'sortOrder' | 'cursor' | 'shownPrefixes'
>;

export const orderOf = (
  { orderBy }: Query,
  { sortBy, sortOrder }: Pick<PageArguments, 'sortBy' | 'sortOrder'>,
): readonly Sort[] =>
  sortBy.length === 0
    ? orderBy
    : sortBy.map((property, index) => ({ property, isAscending: sortOrder[index]?.toLowerCase() === 'asc' }));

/**
 * Returns the number of hits at which collecting them stops, and the number from which on they are too many to sort all
 * of them. To sort hits by relevance, all of them have to be compared, even if the list ends earlier. Their words have
 * to be read for this, so it is done only up to SEARCH_COUNT_LIMIT.
 */
export function hitLimits(
  [first]: readonly OrderKey[],
  { maxResults = unlimited }: Pick<PageArguments, 'maxResults'>,
  { most, searchCountLimit }: { readonly most: number; readonly searchCountLimit: number },
): Record<'maxCount' | 'maxSorted', number> {
  if (first?.byTitle !== undefined) return { maxCount: most, maxSorted: searchCountLimit + 1 };
  const maxCount = Math.min(maxResults, most);
  return { maxCount, maxSorted: maxCount };
}

/** The types of the columns in results. An empty page is returned as a row without a document. */
const foundRow = {
  total: 'int4',
  row: typed<DocumentRow | null>('json?'),
  positions: typed<readonly FoundPosition[] | null>('json?'),
  state: typed<SearchState | null>('json?'),
} as const;

const nothing: Omit<RowWith<typeof foundRow>, 'row'> = { total: 0, positions: null, state: null };

interface Search {
  readonly query: Query;
  readonly page: SearchPageArguments;
  /** The position at which the page starts, if it is read by cursor. */
  readonly from?: ListPosition;
}

/** A page of documents found by a search. Hits are counted up to SEARCH_COUNT_LIMIT. */
export interface FoundPage extends PageResult<DocumentRow> {
  /** Counts or estimates the hits, if there are more than the limit. */
  readonly estimate?: () => Promise<number>;
}

// The sort key for documents whose other sort keys are equal.
const byId = ascending('d.id', 'uuid');
const idOfHits = ascending('id', 'uuid');

/**
 * Finds the documents that match queries and that the caller can read.
 *
 * Searches requested in one turn of the event loop are combined into one statement by `unionLoader`. A page by cursor
 * and a deep page with a known position are read with `positionedSql`, any other page with `searchSql`. If there are
 * too many hits to count, the count and the positions on the page are remembered for later pages.
 */
export function searchDocuments(
  scope: Scope,
  access: Access,
): (query: Query, page: SearchPageArguments) => Promise<FoundPage> {
  const { options, services } = scope;
  const searchCountLimit = services.config.SEARCH_COUNT_LIMIT;
  const view = searchView(scope, access);
  const counts = exceededCounts(scope);
  const positions = pagePositions(scope);
  const compose = async (send: Client['query']): Promise<ComposeQuery<Search>> => {
    const { begin, acls, granting, whereSql } = await queryCompiler(scope, access, view, send);
    const { sortSql } = await import('../../query/sort-sql.ts');
    return ({ query, page, from }, parameters) => {
      const compilation = begin(parameters);
      const where = whereSql(query, compilation);
      const found = `FROM searchable d ${granting} ${where}`;
      const order = orderOf(query, page);
      const keys = sortSql(order, compilation);
      const number = (value: number, type = 'int') => parameters.add(value, type);
      const counting = counts.countingOf(query, where, parameters);
      const limits = hitLimits(keys, page, { most: counts.maxCount, searchCountLimit });
      const { shownPrefixes } = page;
      const columns = shownPrefixes
        ? documentColumnsShowing(parameters.add(shownPrefixes, 'text[]'))
        : documentColumnsWithoutLarge;
      const [maxCount, maxSorted] = [number(limits.maxCount), number(limits.maxSorted)];
      const of = { columns, found, keys, maxCount, maxSorted, counting };
      const part = { limit: number(pageLimit(page)), offset: number(page.offset) };
      const isDeep = counting && pageLimit(page) > 0 && positions.isDeep(page.offset, acls);
      if (!from && !isDeep) return searchSql(view, of, part);
      const after = (position: PositionKeys): Beginning => {
        const add = (text: string) => parameters.add(text, 'text');
        const afterOfHits = `(${afterSql([...keysOfHits(keys), idOfHits], position, add).join(' OR ')})`;
        return { after: partsAfter([...keys, byId], position, add), afterOfHits };
      };
      if (from)
        return positionedSql(view, of, part, from.after && { ...after(from.after), before: part.offset });
      const last = positions.before({ query, order, acls }, page.offset);
      if (!last) return positionedSql(view, of, part);
      const isValid = `s.changes = ${number(last.changes, 'float8')} AND s.pending = 0`;
      return positionedSql(view, of, part, { ...after(last.keys), before: number(last.nth), isValid });
    };
  };
  const loader = unionLoader(scope, { values: [options.repository, ...view.values], row: foundRow }, compose);
  const estimated = estimates(scope, access);
  return async (query, { cursor, ...options }) => {
    const list = [query, options.sortBy, options.sortOrder];
    const from = cursor === undefined ? undefined : readCursor(list, cursor);
    const page = { ...options, ...(from && { offset: from.offset }) };
    const found = await loader.load({ query, page, ...(from && { from }) });
    const read = await readLargeProperties(
      scope,
      found.flatMap(({ row }) => row ?? []),
    );
    const rows = read.map(reviveDates);
    const [{ total, state, positions: foundPositions } = nothing] = found;
    const { maxResults = unlimited } = page;
    const end = page.offset + pageLimit(page);
    const isFollowed = foundPositions?.some(({ nth }) => nth > end);
    const last = isFollowed ? foundPositions?.find(({ nth }) => nth === end)?.keys : undefined;
    const paged = from && { offset: from.offset, nextCursor: nextCursor(list, page, pageLimit(page), last) };
    const isRankedByTitle = isByRelevance(orderOf(query, page)) && total > searchCountLimit;
    const ranked = isRankedByTitle && ({ isRankedByTitle: true } as const);
    if (Math.min(total, maxResults) <= searchCountLimit)
      return { rows, total: Math.min(total, maxResults), ...paged, ...ranked };
    if (state) counts.store(query, total, state);
    if (state && foundPositions && !from) {
      const acls = await fewReadableAcls(scope, access, scope.db.query);
      positions.store({ query, order: orderOf(query, page), acls }, state, foundPositions);
    }
    const isCounted = total < counts.maxCount;
    const estimate = async () =>
      Math.min(maxResults, isCounted ? total : await counts.estimate(query, () => estimated.load(query)));
    return { rows, total: tooManyToCount, countLimit: searchCountLimit, estimate, ...paged, ...ranked };
  };
}
