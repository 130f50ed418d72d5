import type { Client } from '../../db/database.ts';
import { Invalid } from '../../errors.ts';
import type { Query } from '../../query/ast.ts';
import type { Scope } from '../../scope.ts';
import type { Access } from '../acls/access.ts';
import type { Context } from '../context.ts';
import {
  type PageRequest,
  type PageShape,
  pageLimit,
  readPage,
  tooManyToCount,
  unlimited,
} from '../lists/page.ts';
import { functionsSql, recordsSql, sortedSql } from './records-sql.ts';
import { orderOf, type SearchPageArguments } from './search.ts';
import { queryCompiler, searchView } from './search-view.ts';
import { type ComposeQuery, unionLoader } from './union-loader.ts';

/** A row of the result of a query that selects columns, by their names. */
export type SearchRecord = Readonly<Record<string, unknown>>;

type RecordsPage = Pick<PageShape<SearchRecord>, 'total' | 'countLimit'> & { readonly rows: SearchRecord[] };

/** An empty page is a row without values. */
type FoundRow = { readonly total: number; readonly values: readonly unknown[] | null };

/** Finds the records of queries among readable documents; one statement for those of a tick. */
export function searchRecords(
  scope: Scope,
  access: Access,
): (query: Query, page: SearchPageArguments) => Promise<RecordsPage> {
  const { options, searchCountLimit } = scope;
  const view = searchView(scope, access);
  type Asked = { readonly query: Query; readonly page: SearchPageArguments };
  const namesOf = new Map<string, readonly string[]>();
  const compose = async (ask: Client['query']): Promise<ComposeQuery<Asked>> => {
    const { begin, foundSql } = await queryCompiler(scope, access, view, ask);
    const { projectionSql } = await import('../../query/projection-sql.ts');
    return ({ query, page }, parameters) => {
      const compilation = begin(parameters);
      const found = foundSql(query, compilation);
      const projection = projectionSql({ ...query, orderBy: orderOf(query, page) }, compilation);
      namesOf.set(JSON.stringify(query.select), projection.names);
      const part = {
        limit: parameters.add(pageLimit(page), 'int'),
        offset: parameters.add(page.offset, 'int'),
      };
      if (projection.isOne) return functionsSql(view, found, projection, part);
      const most = parameters.add(Math.min(page.maxResults ?? unlimited, searchCountLimit + 1), 'int');
      const keys = projection.documentOrder;
      return keys
        ? recordsSql(view, { found, keys, most }, projection, part)
        : sortedSql(view, { found, most }, projection, part);
    };
  };
  const loader = unionLoader<Asked, FoundRow>(scope, [options.repository, ...view.values], compose);
  return async (query, { pageSize, offset, maxResults, sortBy, sortOrder }) => {
    const found = await loader.load({ query, page: { pageSize, offset, maxResults, sortBy, sortOrder } });
    const names = namesOf.get(JSON.stringify(query.select)) ?? [];
    const rows = found.flatMap(({ values }) =>
      values ? [Object.fromEntries(names.map((name, index) => [name, values[index]]))] : [],
    );
    const total = found[0]?.total ?? 0;
    return total <= searchCountLimit
      ? { rows, total }
      : { rows, total: tooManyToCount, countLimit: searchCountLimit };
  };
}

/** @throws Invalid, for a cursor too: a record has no id by which the next ones could be found */
export async function findRecords(
  { load }: Pick<Context, 'load'>,
  query: Query,
  given: PageRequest,
): Promise<PageShape<SearchRecord>> {
  if (typeof given.cursor === 'string') throw new Invalid('cursor: records have page numbers only');
  const page = readPage(given);
  const { rows, ...counted } = await load.records(query, page);
  return { ...page, ...counted, entries: rows };
}
