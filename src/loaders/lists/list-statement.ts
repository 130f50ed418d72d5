import type { Statement } from '../../db/statement.ts';
import { afterSql, type OrderKey, orderBySql, positionSql } from '../../query/order-sql.ts';
import { SqlParameters } from '../../query/parameters.ts';
import type { Scope, Using } from '../../scope.ts';
import { readableUnlessKnown, readerValues } from '../acls/readable-sql.ts';
import { documentColumnsShowing, documentColumnsWithoutLarge } from '../documents/document-row.ts';
import type { ListPosition } from './list-cursor.ts';
import type {
  AddParameter,
  ListDefinition,
  ListFilter,
  ListRequest,
  SortContext,
} from './list-definition.ts';
import { pageLimit, unlimited } from './page.ts';

interface ListStatement {
  readonly statement: Pick<Statement, 'name' | 'text'>;
  readonly values: readonly unknown[];
  /**
   * The maximum number of entries on a page. If the page is read by cursor, it is one more than the page shows, in
   * order to find out whether another entry follows.
   */
  readonly limit: number;
}

/**
 * The maximum total number of entries on pages with a shared limit: about the number of short documents that fit into a
 * response.
 */
const maxSharedEntries = 20_000;

const limitOf = (page: ListRequest['page'], keys: number): number =>
  page.hasSharedLimit ? Math.min(pageLimit(page), Math.ceil(maxSharedEntries / keys)) : pageLimit(page);

function orderOf(
  { order, sortKey, tieBreak }: ListDefinition,
  { sortBy = [], sortOrder = [] }: ListRequest['page'],
  context: SortContext,
): OrderKey[] {
  const keys = sortKey
    ? sortBy.map((name, at) => sortKey(name, sortOrder[at]?.toLowerCase() === 'asc', context))
    : [];
  return [...(keys.length > 0 ? keys : order), tieBreak];
}

function filterOf({ name, filters }: ListDefinition, filter: string): ListFilter<never> {
  const condition = filters?.[filter];
  if (!condition) throw new Error(`The list ${name} has no filter ${filter}.`);
  return condition;
}

const filterSql = (filter: ListFilter<never>, value: unknown, add: AddParameter): string =>
  typeof filter === 'function' ? filter(add(value)) : filter.compile(value as never, add);

/** SQL for a table `p` that contains the keys of a statement. */
function keysTable(keys: readonly string[] | null, isSingle: boolean, add: AddParameter): string {
  if (keys === null) return '(VALUES (NULL::uuid)) AS p (id)';
  return isSingle ? `(SELECT ${add(keys[0])}::uuid AS id) p` : `unnest(${add(keys)}::uuid[]) AS p (id)`;
}

/**
 * SQL for the entries of one page; `part` and `at` define their order. A page that starts after a position consists of
 * one part for each condition of `afterSql`, such as "equal first key and greater second key" and "greater first key".
 * Each part is read in the order of an index and needs no sort, whereas PostgreSQL could not use an index for the same
 * conditions combined with OR.
 */
function entriesSql(
  columns: string,
  rows: string,
  order: readonly OrderKey[],
  { from, page, limit, add }: Pick<ListRequest, 'from' | 'page'> & { limit: number; add: AddParameter },
): string {
  const limitSql = `LIMIT ${add(from ? limit + 1 : limit)}::int`;
  const partOf = (selected: string, condition: string, bounds: string, index = 0) =>
    `SELECT ${index} AS "part", row_number() OVER () AS "at", f.*
        FROM (SELECT ${selected} ${rows} ${condition} ORDER BY ${orderBySql(order)} ${bounds}) f`;
  if (!from) return partOf(columns, '', `${limitSql} OFFSET ${add(page.offset)}::int`);
  const selected = `${columns}, ${positionSql(order)} AS "positionKeys"`;
  if (!from.after) return partOf(selected, '', limitSql);
  const after = afterSql(order, from.after, (text) => `${add(text)}::text`);
  const parts = after.map((condition, index) => partOf(selected, `AND ${condition}`, limitSql, index));
  const [only = '', ...others] = parts;
  return others.length === 0 ? only : `${parts.join(' UNION ALL ')} ORDER BY "part", "at" ${limitSql}`;
}

/**
 * The part of a statement's name that depends on the position, because the SQL depends on which keys of the position
 * are null.
 */
const formOf = ({ after }: ListPosition): string =>
  after ? `after-${after.map((key) => (key === null ? 0 : 1)).join('')}` : 'start';

/** The parts of the scope that `listStatement` needs. */
type StatementScope = Pick<Scope, 'options' | 'user'> &
  Using<'config' | 'model'> & {
    readonly now: string;
    /** The ids of effective ACLs that are known to grant Read. */
    readonly readable: readonly string[];
  };

/**
 * The number of entries at which counting stops; undefined if all entries are counted. Counting is limited for lists of
 * documents, because a folder can contain very many documents, and counting them takes as long as reading them.
 */
export const countLimitOf = (
  { hasReadableOnly }: Pick<ListDefinition, 'hasReadableOnly'>,
  { config }: Using<'config'>['services'],
): number | undefined => (hasReadableOnly ? config.SEARCH_COUNT_LIMIT : undefined);

/**
 * Composes the statement that reads one page of the list for each key, ordered by key.
 *
 * For each key in the table `p`, one lateral subquery counts the entries and another reads the entries of the page, in
 * order and up to the limit. A left join with the latter yields a row without an entry for an empty page, which still
 * contains the total. Permissions on a document are evaluated only when the document is reached, so a page and a
 * bounded count read no more of a large folder than they need.
 *
 * The statement has a name, under which PostgreSQL stores its plan, unless its text depends on values. Everything that
 * changes the text is part of the name.
 * @param keys null for the list as a whole
 * @throws Invalid for a property that does not support sorting, and for a position in another order
 */
export function listStatement(
  list: ListDefinition,
  { filters, page, from }: ListRequest,
  keys: readonly string[] | null,
  { services, options, user, now, readable }: StatementScope,
): ListStatement {
  const { model } = services;
  const values: unknown[] = [options.repository];
  const add: AddParameter = (value) => `$${values.push(value)}`;
  const isSingle = list.hasSingleKeyStatement === true && keys?.length === 1;
  const table = keysTable(keys, isSingle, add);
  const conditions = [
    list.where,
    ...filters.map(([name, value]) => filterSql(filterOf(list, name), value, add)),
  ];
  const isOne = isSingle || keys === null;
  const isFiltered = list.hasReadableOnly && !user.isAdministrator;
  if (isFiltered) {
    conditions.push(readableUnlessKnown(values.length + 1));
    values.push(...readerValues(user, now), readable);
  }
  const rowsOf = (key: string) => {
    const ofKey = keys && list.ofKey ? [list.ofKey(`= ${key}`)] : [];
    return `FROM ${list.from} WHERE ${[...ofKey, ...conditions].join(' AND ')}`;
  };
  const limit = limitOf(page, keys?.length ?? 1);
  const order = orderOf(list, page, { model, parameters: new SqlParameters(values) });
  const { shownPrefixes } = page;
  const shown = shownPrefixes ? documentColumnsShowing(add(shownPrefixes)) : documentColumnsWithoutLarge;
  const entries = entriesSql(list.columns ?? shown, rowsOf('p.id'), order, {
    page,
    limit,
    add,
    ...(from && { from }),
  });
  const mostCounted = Math.min(
    page.maxResults ?? unlimited,
    (countLimitOf(list, services) ?? unlimited - 1) + 1,
  );
  // The subquery hides the key from the planner. If the planner knew that the key has many entries, it would read the
  // whole table in any order, expecting to find enough of them soon.
  const counted = () =>
    `CROSS JOIN LATERAL (
        SELECT count(*)::int AS total
        FROM (SELECT ${rowsOf(isSingle ? '(SELECT p.id)' : 'p.id')} LIMIT ${add(mostCounted)}::int) counted
      ) c`;
  const names = filters.map(([name]) => name);
  // The lateral subquery returns the entries of one key in order, so the statement needs no ORDER BY. A sort would make
  // PostgreSQL build the JSON of all entries before it sends the first one, even if the reader stops early.
  const keyCount = keys === null ? 'all' : isSingle ? 'one' : 'many';
  const isPrepared =
    !page.sortBy?.length && names.every((name) => typeof filterOf(list, name) === 'function');
  return {
    values,
    limit,
    statement: {
      name: isPrepared
        ? [
            isFiltered && 'readable',
            list.name,
            ...names,
            keyCount,
            from && formOf(from),
            !list.columns && shownPrefixes && 'shown',
          ]
            .filter(Boolean)
            .join('-')
        : '',
      text: `
      SELECT p.id AS "of", ${list.isUncounted ? 'NULL::int' : 'c.total'} AS "listTotal", ${list.columns ? 'e.*' : 'row_to_json(e) AS row'}
      FROM ${table}
      ${list.isUncounted ? '' : counted()}
      LEFT JOIN LATERAL (${entries}) e ON true
      ${isOne ? '' : 'ORDER BY p.id, e."part", e."at"'}`,
    },
  };
}
