import DataLoader from 'dataloader';
import { type RowWith, typed } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { composed } from '../../db/statement.ts';
import type { Query, Sort } from '../../query/ast.ts';
import { afterSql, ascending, type OrderKey } from '../../query/order-sql.ts';
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
import { manyHits, type SearchState } from './many-hits.ts';
import { type FoundPosition, pagePositions } from './page-positions.ts';
import { positionedSql } from './positioned-sql.ts';
import { type Beginning, keysOfHits, searchSql } from './search-sql.ts';
import { queryCompiler, searchView } from './search-view.ts';
import { type ComposeQuery, unionLoader } from './union-loader.ts';

interface Plan {
  readonly 'Plan Rows': number;
  readonly 'Subplan Name'?: string;
  readonly Plans?: readonly Plan[];
}

const maxQueries = 20;

const explanation = { 'QUERY PLAN': typed<ReadonlyArray<{ readonly Plan: Plan }>>('json') };

/** How many documents queries find, as the planner estimates it: one statement for those of one tick. */
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

/** Which part of the result of a query is wanted; `sortBy` replaces the query's own ORDER BY. */
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

/** An empty page is a row without a document. */
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
  /** Where a page by cursor begins. */
  readonly from?: ListPosition;
}

/** Hits are counted up to SEARCH_COUNT_LIMIT. */
export interface FoundPage extends PageResult<DocumentRow> {
  /** When the hits are too many: up to what they are counted, and about how many there are. */
  readonly countLimit?: number;
  readonly estimate?: () => Promise<number>;
}

// Equal sort keys are ordered by it.
const byId = ascending('d.id', 'uuid');
const idOfHits = ascending('id', 'uuid');

/** Finds documents that the caller may read. */
export function searchDocuments(
  scope: Scope,
  access: Access,
): (query: Query, page: SearchPageArguments) => Promise<FoundPage> {
  const { options, services } = scope;
  const searchCountLimit = services.config.SEARCH_COUNT_LIMIT;
  const view = searchView(scope, access);
  const many = manyHits(scope);
  const known = pagePositions(scope);
  const compose = async (ask: Client['query']): Promise<ComposeQuery<Search>> => {
    const { begin, acls, granting, whereSql } = await queryCompiler(scope, access, view, ask);
    const { sortSql } = await import('../../query/sort-sql.ts');
    return ({ query, page, from }, parameters) => {
      const compilation = begin(parameters);
      const where = whereSql(query, compilation);
      const found = `FROM searchable d ${granting} ${where}`;
      const order = orderOf(query, page);
      const keys = sortSql(order, compilation);
      const number = (value: number, type = 'int') => parameters.add(value, type);
      const counting = many.countingOf(query, where, parameters);
      const most = number(Math.min(page.maxResults ?? unlimited, many.most));
      const { shownPrefixes } = page;
      const columns = shownPrefixes
        ? documentColumnsShowing(parameters.add(shownPrefixes, 'text[]'))
        : documentColumnsWithoutLarge;
      const of = { columns, found, keys, most, counting };
      const part = { limit: number(pageLimit(page)), offset: number(page.offset) };
      const isDeep = counting && pageLimit(page) > 0 && known.isDeep(page.offset, acls);
      if (!from && !isDeep) return searchSql(view, of, part);
      const after = (position: PositionKeys): Beginning => {
        const conditions = (some: readonly OrderKey[]) =>
          afterSql(some, position, (text) => parameters.add(text, 'text'));
        const afterOfHits = `(${conditions([...keysOfHits(keys), idOfHits]).join(' OR ')})`;
        return { after: conditions([...keys, byId]), afterOfHits };
      };
      if (from)
        return positionedSql(view, of, part, from.after && { ...after(from.after), before: part.offset });
      const last = known.before({ query, order, acls }, page.offset);
      if (!last) return positionedSql(view, of, part);
      const isThere = `s.changes = ${number(last.changes, 'float8')} AND s.pending = 0`;
      return positionedSql(view, of, part, { ...after(last.keys), before: number(last.nth), isThere });
    };
  };
  const loader = unionLoader(scope, { values: [options.repository, ...view.values], row: foundRow }, compose);
  const estimated = estimates(scope, access);
  return async (query, { cursor, ...given }) => {
    const list = [query, given.sortBy, given.sortOrder];
    const from = cursor === undefined ? undefined : readCursor(list, cursor);
    const page = { ...given, ...(from && { offset: from.offset }) };
    const found = await loader.load({ query, page, ...(from && { from }) });
    const read = await readLargeProperties(
      scope,
      found.flatMap(({ row }) => row ?? []),
    );
    const rows = read.map(reviveDates);
    const [{ total, state, positions } = nothing] = found;
    const end = page.offset + pageLimit(page);
    const isFollowed = positions?.some(({ nth }) => nth > end);
    const last = isFollowed ? positions?.find(({ nth }) => nth === end)?.keys : undefined;
    const paged = from && { offset: from.offset, nextCursor: nextCursor(list, page, pageLimit(page), last) };
    if (total <= searchCountLimit) return { rows, total, ...paged };
    if (state) many.keep(query, total, state);
    if (state && positions && !from) {
      const acls = await fewReadableAcls(scope, access, scope.db.query);
      known.keep({ query, order: orderOf(query, page), acls }, state, positions);
    }
    const estimate = async () =>
      Math.min(page.maxResults ?? unlimited, await many.estimate(query, () => estimated.load(query)));
    return { rows, total: tooManyToCount, countLimit: searchCountLimit, estimate, ...paged };
  };
}
