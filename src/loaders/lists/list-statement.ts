import type { Statement } from '../../db/database.ts';
import type { Model } from '../../model/model.ts';
import type { Scope } from '../../scope.ts';
import type { Permission } from '../../security/permissions.ts';
import { readableAcls, readableCondition, readableValues } from '../acls/readable-sql.ts';
import { documentColumns } from '../documents/document-row.ts';
import { type PageArguments, pageLimit, unlimited } from './page.ts';

type AddParameter = (value: unknown) => string;

export interface SortContext {
  readonly model: Model;
  readonly add: AddParameter;
}

/** A list as data: which rows its entries are, in which order they come, and who may read them. */
export interface ListDefinition {
  /** The prepared statements are named after it. */
  readonly name: string;
  /** The SELECT list of an entry, with an `id`. Absent of documents `d`, which are read whole. */
  readonly columns?: string;
  readonly from: string;
  /** `$1` is the repository. */
  readonly where: string;
  /** The condition that an entry belongs to a key (a UUID), such as `d.parent_id ${equals}`. */
  readonly ofKey?: (equals: string) => string;
  readonly order: string;
  /** The last sort key of any order: it is unique. */
  readonly tieBreak: string;
  /** The ORDER BY term of a property; absent where requests cannot sort. @throws Invalid */
  readonly sortKey?: (property: string, direction: 'ASC' | 'DESC', context: SortContext) => string;
  /**
   * An expression that orders the entries of a page, together with `id`. Lists without `rank` number their
   * rows, for which PostgreSQL sorts the whole list unless an index has its order.
   */
  readonly rank?: string;
  /** The condition of each filter by its name; `parameter` stands for the value. */
  readonly filters?: Readonly<Record<string, (parameter: string) => string>>;
  /**
   * For lists of documents `d`: those on which the caller lacks this permission are neither listed nor
   * counted.
   */
  readonly permission?: Permission;
  /** No total is computed, where nothing needs it. */
  readonly isUncounted?: true;
  /**
   * A single key has a statement without an array: PostgreSQL plans it once, whereas it plans one with an
   * array for each call. Measured for children, the most frequent list.
   */
  readonly hasSingleKeyStatement?: true;
}

export interface ListPageArguments extends Pick<PageArguments, 'pageSize' | 'offset'> {
  readonly maxResults?: PageArguments['maxResults'];
  readonly sortBy?: PageArguments['sortBy'] | undefined;
  readonly sortOrder?: PageArguments['sortOrder'] | undefined;
  /** Whether the pages of very many keys are shorter, so that all together stay within bounds. */
  readonly hasSharedLimit?: boolean | undefined;
}

export interface ListRequest {
  readonly filters: ReadonlyArray<readonly [name: string, value: unknown]>;
  readonly page: ListPageArguments;
}

// Entries that pages with a shared limit have together.
const maxSharedEntries = 5000;

const limitOf = (page: ListPageArguments, keys: number): number =>
  page.hasSharedLimit ? Math.min(pageLimit(page), Math.ceil(maxSharedEntries / keys)) : pageLimit(page);

function orderOf(
  { order, sortKey, tieBreak }: ListDefinition,
  { sortBy = [], sortOrder = [] }: ListPageArguments,
  context: SortContext,
): string {
  const keys = sortKey
    ? sortBy.map((name, at) =>
        sortKey(name, sortOrder[at]?.toLowerCase() === 'asc' ? 'ASC' : 'DESC', context),
      )
    : [];
  return [...(keys.length > 0 ? keys : [order]), tieBreak].join(', ');
}

function filterOf({ name, filters }: ListDefinition, filter: string): (parameter: string) => string {
  const condition = filters?.[filter];
  if (!condition) throw new Error(`the list ${name} has no filter ${filter}`);
  return condition;
}

// The keys of a statement as a table `p`, and the comparison of a column with any of them.
function keysTable(keys: readonly string[] | null, isSingle: boolean, add: AddParameter) {
  if (keys === null) return { table: '(VALUES (NULL::uuid)) AS p (id)', equals: '' };
  const parameter = add(isSingle ? keys[0] : keys);
  return isSingle
    ? { table: `(SELECT ${parameter}::uuid AS id) p`, equals: `= ${parameter}::uuid` }
    : { table: `unnest(${parameter}::uuid[]) AS p (id)`, equals: `= ANY(${parameter}::uuid[])` };
}

/**
 * One page of the list of each key in one statement, ordered by key; an empty page is a row without an entry.
 * @param keys null for the list as a whole.
 */
export function listStatement(
  list: ListDefinition,
  { filters, page }: ListRequest,
  keys: readonly string[] | null,
  { model, options, user, now }: Pick<Scope, 'model' | 'options' | 'user'> & { readonly now: string },
): { readonly statement: Statement; readonly values: readonly unknown[] } {
  const values: unknown[] = [options.repository];
  const add: AddParameter = (value) => `$${values.push(value)}`;
  const isSingle = list.hasSingleKeyStatement === true && keys?.length === 1;
  const { table, equals } = keysTable(keys, isSingle, add);
  const wanted = [list.where, ...filters.map(([name, value]) => filterOf(list, name)(add(value)))];
  const ofKey = (comparison: string) => (keys && list.ofKey ? [list.ofKey(comparison)] : []);
  const limits = [limitOf(page, keys?.length ?? 1), page.offset].map((value) => `${add(value)}::int`);
  const total = list.isUncounted ? 'NULL::int' : `least(c.total, ${add(page.maxResults ?? unlimited)}::int)`;
  const isFiltered = list.permission !== undefined && !user.isAdministrator;
  const readable = isFiltered
    ? `WITH ${readableAcls(list.from, [...wanted, ...ofKey(equals)].join(' AND '), values.length + 1)}`
    : '';
  if (isFiltered) values.push(...readableValues(user, list.permission, now));
  const order = orderOf(list, page, { model, add });
  const conditions = [...wanted, ...ofKey('= p.id'), ...(isFiltered ? [readableCondition] : [])];
  const rows = `FROM ${list.from} WHERE ${conditions.join(' AND ')}`;
  const names = filters.map(([name]) => name);
  const keyCount = keys === null ? 'all' : isSingle ? 'one' : 'many';
  const isUsualOrder = !page.sortBy?.length;
  return {
    values,
    statement: {
      name: isUsualOrder
        ? [isFiltered && 'readable', list.name, ...names, keyCount].filter(Boolean).join('-')
        : '',
      text: `${readable}
      SELECT p.id AS "of", ${total} AS total, ${list.columns ? 'e.*' : 'row_to_json(e) AS row'}
      FROM ${table}
      ${list.isUncounted ? '' : `CROSS JOIN LATERAL (SELECT count(*)::int AS total ${rows}) c`}
      LEFT JOIN LATERAL (
        SELECT ${list.columns ?? documentColumns}, ${list.rank ?? `row_number() OVER (ORDER BY ${order})`} AS "at"
        ${rows} ORDER BY ${order} LIMIT ${limits[0]} OFFSET ${limits[1]}
      ) e ON true
      ORDER BY p.id, e."at", e.id`,
    },
  };
}
