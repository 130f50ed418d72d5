import { typed } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { Invalid } from '../../errors.ts';
import type { Query } from '../../query/ast.ts';
import type { ProjectionSql } from '../../query/projection-sql.ts';
import type { Scope } from '../../scope.ts';
import type { Access } from '../acls/access.ts';
import {
  type PageRequest,
  type PageShape,
  pageLimit,
  readPage,
  tooManyToCount,
  unlimited,
} from '../lists/page.ts';
import { sortLimitOf } from './exceeded-counts.ts';
import { hitLimits, orderOf, type SearchPageArguments } from './search.ts';
import { type FoundHits, type Part, pageOfIds } from './search-sql.ts';
import { queryCompiler, type SearchView, searchView } from './search-view.ts';
import { type ComposeQuery, unionLoader } from './union-loader.ts';

const named = (values: readonly string[], prefix: string): string[] =>
  values.map((value, index) => `${value} AS ${prefix}${index}`);

const arrayOf = ({ values }: ProjectionSql): string =>
  `json_build_array(${values.map((_, index) => `c${index}`).join(', ')}) AS "values"`;

// The index may lag behind, so the join reads the documents themselves and checks permissions again.
const readSql = ({ grantingOf }: SearchView, { joins }: ProjectionSql): string =>
  `JOIN document l ON l.repository = $1 AND l.id = d.id ${grantingOf('l')} ${joins}`;

const fromSql = (view: SearchView, found: string, projection: ProjectionSql): string =>
  `FROM (SELECT d.* ${found}) d ${readSql(view, projection)}`;

/** SQL for the single record that aggregate functions over all documents produce. */
function functionsSql(
  view: SearchView,
  found: string,
  projection: ProjectionSql,
  { limit, offset }: Part,
): string {
  const columns = named(projection.values, 'c').join(', ');
  return `SELECT 1 AS total, ${arrayOf(projection)}
    FROM (SELECT ${columns} ${fromSql(view, found, projection)}) f LIMIT ${limit} OFFSET ${offset}`;
}

/**
 * SQL for records that are sorted in the order of their documents. The page is first selected by ids, and values are
 * read only for its documents. A document has at least one record, and several if there is one for each item in a list,
 * so the first `offset + limit` documents contain all records on the page.
 */
function recordsSql(view: SearchView, of: FoundHits, projection: ProjectionSql, part: Part): string {
  const { values, nth } = projection;
  const { limit, offset } = part;
  const { tables, ids } = pageOfIds(
    of,
    nth ? { limit: `(${limit}::bigint + ${offset})`, offset: '0' } : part,
  );
  const total = nth
    ? `(SELECT count(*)::int FROM (SELECT ${fromSql(view, of.found, projection)} LIMIT ${of.maxCount}) f)`
    : 'c.total';
  const place = nth ? `p."at", ${nth}` : 'p."at"';
  return `WITH ${tables}
    SELECT ${total} AS total, r."values"
    FROM counted c
    LEFT JOIN LATERAL (
      SELECT ${arrayOf(projection)}, f."at"
      FROM (
        SELECT ${named(values, 'c').join(', ')}, row_number() OVER (ORDER BY ${place}) AS "at"
        FROM ${ids} p JOIN searchable d ON d.repository = $1 AND d.id = p.id ${readSql(view, projection)}
      ) f ${nth ? `ORDER BY f."at" LIMIT ${limit} OFFSET ${offset}` : ''}
    ) r ON true
    ORDER BY r."at"`;
}

/**
 * SQL for records whose order depends on their values, or that must be distinct. It reads the values of all records.
 */
function sortedSql(
  view: SearchView,
  { found, maxCount }: Pick<FoundHits, 'found' | 'maxCount'>,
  projection: ProjectionSql,
  { limit, offset }: Part,
): string {
  const from = fromSql(view, found, projection);
  const columns = named(projection.values, 'c');
  const { isDistinct, nth, keys, order } = projection;
  const last = isDistinct ? [] : ['d.id', ...(nth ? [`${nth} AS nth`] : [])];
  const selected = [...columns, ...named(keys, 'k'), ...last];
  const select = isDistinct ? 'SELECT DISTINCT' : 'SELECT';
  const orderBy = order.join(', ');
  return `SELECT c.total, p."values"
    FROM (SELECT count(*)::int AS total FROM (${select} ${columns.join(', ')} ${from} LIMIT ${maxCount}) f) c
    LEFT JOIN LATERAL (
      SELECT ${arrayOf(projection)}, row_number() OVER (ORDER BY ${orderBy}) AS "at"
      FROM (${select} ${selected.join(', ')} ${from} ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${offset}) f
    ) p ON true
    ORDER BY p."at"`;
}

/** A record in the result of a query that selects columns: its values, by column name. */
export type SearchRecord = Readonly<Record<string, unknown>>;

type RecordsPage = Pick<PageShape<SearchRecord>, 'total' | 'countLimit'> & { readonly rows: SearchRecord[] };

/** The types of the columns in results. An empty page is returned as a row without values. */
const foundRow = { total: 'int4', values: typed<readonly unknown[] | null>('json?') } as const;

/**
 * Finds the records of queries among readable documents. One statement reads the records for all queries requested in
 * one turn of the event loop.
 */
export function searchRecords(
  scope: Scope,
  access: Access,
): (query: Query, page: SearchPageArguments) => Promise<RecordsPage> {
  const { options, services } = scope;
  const searchCountLimit = services.config.SEARCH_COUNT_LIMIT;
  const view = searchView(scope, access);
  type Request = { readonly query: Query; readonly page: SearchPageArguments };
  const namesOf = new Map<string, readonly string[]>();
  const compose = async (send: Client['query']): Promise<ComposeQuery<Request>> => {
    const { begin, foundSql } = await queryCompiler(scope, access, view, send);
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
      if (projection.isSingleRow) return functionsSql(view, found, projection, part);
      const keys = projection.documentOrder;
      // Records of list items are counted as records, which takes long, and not as the documents that are sorted.
      const areDocuments = keys && projection.nth === undefined;
      const most = (areDocuments ? sortLimitOf(searchCountLimit) : searchCountLimit) + 1;
      const limits = hitLimits(keys ?? [], page, { most, searchCountLimit });
      const maxCount = parameters.add(limits.maxCount, 'int');
      if (!keys) return sortedSql(view, { found, maxCount }, projection, part);
      const maxSorted = parameters.add(limits.maxSorted, 'int');
      return recordsSql(view, { found, keys, maxCount, maxSorted }, projection, part);
    };
  };
  const loader = unionLoader(scope, { values: [options.repository, ...view.values], row: foundRow }, compose);
  return async (query, { pageSize, offset, maxResults, sortBy, sortOrder }) => {
    const found = await loader.load({ query, page: { pageSize, offset, maxResults, sortBy, sortOrder } });
    const names = namesOf.get(JSON.stringify(query.select)) ?? [];
    const rows = found.flatMap(({ values }) =>
      values ? [Object.fromEntries(names.map((name, index) => [name, values[index]]))] : [],
    );
    const total = Math.min(found[0]?.total ?? 0, maxResults ?? unlimited);
    return total <= searchCountLimit
      ? { rows, total }
      : { rows, total: tooManyToCount, countLimit: searchCountLimit };
  };
}

/**
 * Reads a page of records.
 * @throws Invalid, for example if a cursor is requested, because records have no id at which the next page could
 * continue
 */
export async function findRecords(
  { load }: { readonly load: { readonly records: ReturnType<typeof searchRecords> } },
  query: Query,
  request: PageRequest,
): Promise<PageShape<SearchRecord>> {
  if (typeof request.cursor === 'string')
    throw new Invalid('cursor: not supported for queries that select columns. Use page numbers instead.');
  const page = readPage(request);
  const { rows, ...counted } = await load.records(query, page);
  return { ...page, ...counted, entries: rows };
}
