import type { Query, Sort } from '../../query/ast.ts';
import type { Scope } from '../../scope.ts';
import type { Access } from '../acls/access.ts';
import { type DocumentRow, documentColumns, reviveDates } from '../documents/document-row.ts';
import { type PageArguments, pageLimit, tooManyToCount, unlimited } from '../lists/page.ts';
import type { PageResult } from '../lists/page-loader.ts';
import { estimates } from './estimates.ts';
import { queryCompiler, type SearchView, searchView } from './search-view.ts';
import { type ComposeQuery, unionLoader } from './union-loader.ts';

/** Which part of the result of a query is wanted; `sortBy` replaces the query's own ORDER BY. */
export type SearchPageArguments = Pick<
  PageArguments,
  'pageSize' | 'offset' | 'maxResults' | 'sortBy' | 'sortOrder'
>;

export const orderOf = (
  { orderBy }: Query,
  { sortBy, sortOrder }: Pick<PageArguments, 'sortBy' | 'sortOrder'>,
): readonly Sort[] =>
  sortBy.length === 0
    ? orderBy
    : sortBy.map((property, index) => ({ property, isAscending: sortOrder[index]?.toLowerCase() === 'asc' }));

// Counting ends at its limit, and the page can be read in the order of an index: so the condition is there
// twice, which costs less than keeping everything it finds. The rows of the index may be behind: the page
// shows the documents themselves, and only to callers who may still read them.
function searchSql(
  { granting }: SearchView,
  found: string,
  keys: ReadonlyArray<{ value: string; isAscending: boolean }>,
  page: Readonly<Record<'limit' | 'offset' | 'most', string>>,
): string {
  const kept = keys.map(({ value }, index) => `, ${value} AS k${index}`).join('');
  const order = keys.map(({ isAscending }, index) => `k${index} ${isAscending ? 'ASC' : 'DESC'} NULLS LAST`);
  const orderBy = [...order, 'id'].join(', ');
  return `SELECT c.total, row_to_json(d) AS row
      FROM (SELECT count(*)::int AS total FROM (SELECT ${found} LIMIT ${page.most}) f) c
      LEFT JOIN LATERAL (
        SELECT ${documentColumns}, p."at"
        FROM (
          SELECT f.id, row_number() OVER (ORDER BY ${orderBy}) AS "at"
          FROM (SELECT d.id${kept} ${found} ORDER BY ${orderBy} LIMIT ${page.limit} OFFSET ${page.offset}) f
        ) p
        JOIN document d ON d.repository = $1 AND d.id = p.id ${granting}
      ) d ON true
      ORDER BY d."at"`;
}

/** An empty page is a row without a document. */
type FoundRow = { readonly total: number; readonly row: DocumentRow | null };

interface Search {
  readonly query: Query;
  readonly page: SearchPageArguments;
}

/** Hits are counted up to SEARCH_COUNT_LIMIT. */
export interface FoundPage extends PageResult<DocumentRow> {
  /** When the hits are too many: up to what they are counted, and about how many there are. */
  readonly countLimit?: number;
  readonly estimate?: () => Promise<number>;
}

/** Finds documents that the caller may read. */
export function searchDocuments(
  scope: Scope,
  access: Access,
): (query: Query, page: SearchPageArguments) => Promise<FoundPage> {
  const { options, searchCountLimit } = scope;
  const view = searchView(scope, access);
  const compose = async (): Promise<ComposeQuery<Search>> => {
    const { begin, foundSql } = await queryCompiler(scope, access, view);
    const { sortSql } = await import('../../query/sort-sql.ts');
    return ({ query, page }, parameters) => {
      const compilation = begin(parameters);
      const found = foundSql(query, compilation);
      return searchSql(view, found, sortSql(orderOf(query, page), compilation), {
        limit: parameters.add(pageLimit(page), 'int'),
        offset: parameters.add(page.offset, 'int'),
        most: parameters.add(Math.min(page.maxResults ?? unlimited, searchCountLimit + 1), 'int'),
      });
    };
  };
  const loader = unionLoader<Search, FoundRow>(scope, [options.repository, ...view.values], compose);
  const estimated = estimates(scope, access);
  return async (query, { pageSize, offset, maxResults, sortBy, sortOrder }) => {
    const found = await loader.load({ query, page: { pageSize, offset, maxResults, sortBy, sortOrder } });
    const rows = found.flatMap(({ row }) => (row ? [reviveDates(row)] : []));
    const total = found[0]?.total ?? 0;
    if (total <= searchCountLimit) return { rows, total };
    return {
      rows,
      total: tooManyToCount,
      countLimit: searchCountLimit,
      estimate: () => estimated.load(query),
    };
  };
}
