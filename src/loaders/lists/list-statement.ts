import type { Statement } from '../../db/statement.ts';
import { afterSql, type OrderKey, orderBySql, positionSql } from '../../query/order-sql.ts';
import { SqlParameters } from '../../query/parameters.ts';
import type { Scope, Using } from '../../scope.ts';
import {
  countedAcls,
  readableAcls,
  readableCondition,
  readableJoin,
  readableTotal,
  readableValues,
  readerValues,
} from '../acls/readable-sql.ts';
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
  /** The maximum number of entries on a page. A page by cursor reads one more to find out whether another follows. */
  readonly limit: number;
}

/** The maximum number of entries on all pages with a shared limit: about as many short documents as fit an answer. */
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

/** The SQL of a table `p` with the keys of a statement, and of a comparison of a column with any of them. */
function keysTable(keys: readonly string[] | null, isSingle: boolean, add: AddParameter) {
  if (keys === null) return { table: '(VALUES (NULL::uuid)) AS p (id)', equals: '' };
  const parameter = add(isSingle ? keys[0] : keys);
  return isSingle
    ? { table: `(SELECT ${parameter}::uuid AS id) p`, equals: `= ${parameter}::uuid` }
    : { table: `unnest(${parameter}::uuid[]) AS p (id)`, equals: `= ANY(${parameter}::uuid[])` };
}

/**
 * The SQL of the entries of one page; `part` and `at` give their order. A page that begins after a position consists of
 * one part for each condition of `afterSql`, such as "equal first key and greater second key" and "greater first key".
 * Each part is read in the order of an index and needs no sort, whereas PostgreSQL cannot use an index for their OR.
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

/** The part of a statement's name for its position: its SQL depends on which keys of the position are null. */
const formOf = ({ after }: ListPosition): string =>
  after ? `after-${after.map((key) => (key === null ? 0 : 1)).join('')}` : 'start';

/** The parts of a statement that leave out unreadable documents. */
interface ReaderPart {
  readonly tables?: string;
  readonly from: string;
  readonly conditions: readonly string[];
  /** A query of the total. For a single key, the pass over the documents that collects their ACLs also counts them. */
  readonly counted?: string;
  readonly values: readonly unknown[];
}

/**
 * Makes the parts that leave out unreadable documents. They are empty for administrators. Lists that can contain
 * versions check each document in a join; others evaluate the distinct ACLs of all candidates first.
 * @param condition the condition of the candidates.
 * @param first the number of its first parameter.
 * @param isOne whether the statement reads the list of one key.
 */
function readerPart(
  { from, permission, mayHaveVersions, isUncounted }: ListDefinition,
  { condition, first, isOne }: { condition: string; first: number; isOne: boolean },
  { user, now }: Pick<Scope, 'user'> & { readonly now: string },
): ReaderPart {
  if (permission === undefined || user.isAdministrator) return { from, conditions: [], values: [] };
  if (mayHaveVersions)
    return { from: `${from} ${readableJoin(first)}`, conditions: [], values: readerValues(user, now) };
  const isCounted = isOne && !isUncounted;
  return {
    tables: `WITH ${(isCounted ? countedAcls : readableAcls)(from, condition, first)}`,
    from,
    conditions: [readableCondition],
    ...(isCounted && { counted: readableTotal }),
    values: readableValues(user, permission, now),
  };
}

/**
 * Composes the statement that reads one page of the list of each key, ordered by key.
 *
 * For each key in the table `p`, one lateral subquery counts the entries and another reads those of the page, in order
 * and up to the limit. A left join with the latter yields a row without an entry for an empty page, which still carries
 * the total. Table expressions before the SELECT evaluate the ACLs of all candidates once, see `readableAcls`.
 *
 * The statement has a name, by which PostgreSQL keeps its plan, unless its text depends on values. Every fact that
 * changes the text is part of the name.
 * @param keys null for the list as a whole.
 * @throws Invalid for a property without order, and for a position in another order
 */
export function listStatement(
  list: ListDefinition,
  { filters, page, from }: ListRequest,
  keys: readonly string[] | null,
  {
    services: { model },
    options,
    user,
    now,
  }: Pick<Scope, 'options' | 'user'> & Using<'model'> & { readonly now: string },
): ListStatement {
  const values: unknown[] = [options.repository];
  const add: AddParameter = (value) => `$${values.push(value)}`;
  const isSingle = list.hasSingleKeyStatement === true && keys?.length === 1;
  const { table, equals } = keysTable(keys, isSingle, add);
  const common = [list.where, ...filters.map(([name, value]) => filterSql(filterOf(list, name), value, add))];
  const ofKey = (comparison: string) => (keys && list.ofKey ? [list.ofKey(comparison)] : []);
  const total = list.isUncounted ? 'NULL::int' : `least(c.total, ${add(page.maxResults ?? unlimited)}::int)`;
  const condition = [...common, ...ofKey(equals)].join(' AND ');
  const isOne = isSingle || keys === null;
  const reader = readerPart(list, { condition, first: values.length + 1, isOne }, { user, now });
  values.push(...reader.values);
  const conditions = [...common, ...ofKey('= p.id'), ...reader.conditions];
  const rows = `FROM ${reader.from} WHERE ${conditions.join(' AND ')}`;
  const limit = limitOf(page, keys?.length ?? 1);
  const order = orderOf(list, page, { model, parameters: new SqlParameters(values) });
  const { shownPrefixes } = page;
  const shown = shownPrefixes ? documentColumnsShowing(add(shownPrefixes)) : documentColumnsWithoutLarge;
  const entries = entriesSql(list.columns ?? shown, rows, order, { page, limit, add, ...(from && { from }) });
  const counted = reader.counted ?? `SELECT count(*)::int AS total ${rows}`;
  const names = filters.map(([name]) => name);
  // The lateral subquery returns the entries of one key in order, so the statement needs no ORDER BY. A sort would make
  // PostgreSQL build the JSON of all entries before it sends the first, even if the reader stops early.
  const keyCount = keys === null ? 'all' : isSingle ? 'one' : 'many';
  const isPrepared =
    !page.sortBy?.length && names.every((name) => typeof filterOf(list, name) === 'function');
  return {
    values,
    limit,
    statement: {
      name: isPrepared
        ? [
            reader.values.length > 0 && 'readable',
            list.name,
            ...names,
            keyCount,
            from && formOf(from),
            !list.columns && shownPrefixes && 'shown',
          ]
            .filter(Boolean)
            .join('-')
        : '',
      text: `${reader.tables ?? ''}
      SELECT p.id AS "of", ${total} AS "listTotal", ${list.columns ? 'e.*' : 'row_to_json(e) AS row'}
      FROM ${table}
      ${list.isUncounted ? '' : `CROSS JOIN LATERAL (${counted}) c`}
      LEFT JOIN LATERAL (${entries}) e ON true
      ${isOne ? '' : 'ORDER BY p.id, e."part", e."at"'}`,
    },
  };
}
