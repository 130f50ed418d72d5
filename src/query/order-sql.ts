import { Invalid } from '../errors.ts';
import { isUuid } from '../model/names.ts';
import type { Sort } from './ast.ts';

/** The name of the property that holds a document's relevance score in a full-text query. */
export const scoreProperty = 'ecm:fulltextScore';

export const mostRelevantFirst: Sort = { property: scoreProperty, isAscending: false };

/** Returns whether the most relevant documents come first. */
export const isByRelevance = ([first]: readonly Sort[]): boolean =>
  first?.property === scoreProperty && !first.isAscending;

type OrderType = 'text' | 'numeric' | 'bigint' | 'boolean' | 'uuid' | 'timestamptz';

/** A sort key of a list. The last sort key of each list is unique, so that every row has a distinct position. */
export interface OrderKey {
  readonly value: string;
  readonly type: OrderType;
  readonly isAscending: boolean;
  /** Whether the value can be NULL. Rows with NULL come last. */
  readonly isNullable: boolean;
  /** Whether the index of the key has the opposite direction. A backward scan returns NULLs first instead of last. */
  readonly isOppositeToIndex?: boolean;
  /** Whether computing the value is so expensive that reading an index in this order is faster than sorting. */
  readonly isCostly?: boolean;
  /**
   * A SQL condition that replaces the relevance if there are too many results to compute it, and that an index can
   * evaluate. The value of the key is then 1 for documents that satisfy the condition, and 0 for all others. Set only
   * if the relevance is the first key.
   */
  readonly byTitle?: string;
}

/** Converts the values of sort keys to strings for cursors, and back. */
interface KeyForm {
  readonly isText: (text: string) => boolean;
  readonly textOf: (value: string) => string;
  readonly valueOf: (parameter: string) => string;
}

const castTo = (type: OrderType, isText: KeyForm['isText']): KeyForm => ({
  isText,
  textOf: (value) => `(${value})::text`,
  valueOf: (parameter) => `${parameter}::${type}`,
});

const forms: Readonly<Record<OrderType, KeyForm>> = {
  text: castTo('text', () => true),
  numeric: castTo('numeric', (text) => /^-?\d{1,400}(?:\.\d{1,400})?$/.test(text)),
  bigint: castTo('bigint', (text) => /^-?\d{1,18}$/.test(text)),
  boolean: castTo('boolean', (text) => text === 'true' || text === 'false'),
  uuid: castTo('uuid', isUuid),
  // A timestamp is written as a number of microseconds, because its text form would depend on the time zone of the
  // connection.
  timestamptz: {
    isText: (text) => /^-?\d{1,17}$/.test(text),
    textOf: (value) => `(extract(epoch FROM ${value}) * 1000000)::bigint::text`,
    valueOf: (parameter) => `(timestamptz 'epoch' + ${parameter}::bigint * interval '1 microsecond')`,
  },
};

const keyOf =
  (isAscending: boolean) =>
  (value: string, type: OrderType, { isNullable = false } = {}): OrderKey => ({
    value,
    type,
    isAscending,
    isNullable,
  });

export const ascending = keyOf(true);
export const descending = keyOf(false);

/** Returns the expressions after ORDER BY. */
export const orderBySql = (order: readonly OrderKey[]): string =>
  order
    .map(
      ({ value, isAscending, isNullable }) =>
        `${value} ${isAscending ? 'ASC' : 'DESC'}${isNullable ? ' NULLS LAST' : ''}`,
    )
    .join(', ');

/** Returns the SQL expression for a row's position in a sort order: a JSON array of its sort keys as strings. */
export const positionSql = (order: ReadonlyArray<Pick<OrderKey, 'value' | 'type'>>): string =>
  `json_build_array(${order.map(({ value, type }) => forms[type].textOf(value)).join(', ')})`;

/**
 * Checks the sort keys that a cursor contains.
 * @throws Invalid if they do not fit the order, for example because the cursor belongs to another search
 */
export function requirePosition(
  order: ReadonlyArray<Pick<OrderKey, 'type' | 'isNullable'>>,
  keys: ReadonlyArray<string | null>,
): void {
  const fits = order.every(({ type, isNullable }, index) => {
    const key = keys[index] ?? null;
    return key === null ? isNullable : forms[type].isText(key);
  });
  if (keys.length !== order.length || !fits) throw new Invalid('cursor does not belong to this sort order');
}

const areAlike = ([first, ...others]: readonly OrderKey[]): boolean =>
  others.every(({ isAscending, isNullable }) => isAscending === first?.isAscending && !isNullable);

const oneOf = (conditions: readonly string[]): string => `(${conditions.join(' OR ')})`;

/**
 * Returns conditions for keyset pagination. For each row after the position, exactly one of them is true. The
 * conditions are used in separate SELECTs, because an OR would prevent PostgreSQL from starting an index scan at the
 * position. For the same reason, keys with the same direction are compared as a row value: PostgreSQL can use `(a, b) >
 * ($1, $2)` as an index condition.
 * @param keys the sort keys of the position, as strings
 * @param add adds a parameter to the statement and returns its SQL
 * @throws Invalid if the keys do not fit the order
 */
export function afterSql(
  order: readonly OrderKey[],
  keys: ReadonlyArray<string | null>,
  add: (text: string) => string,
): readonly string[] {
  requirePosition(order, keys);
  const position = order.map(({ type }, index) => {
    const key = keys[index] ?? null;
    return key === null ? undefined : forms[type].valueOf(add(key));
  });
  let after: readonly string[] = [];
  for (const [index, { value, isAscending, isNullable }] of [...order.entries()].reverse()) {
    const at = position[index];
    if (at === undefined) {
      after = [`${value} IS NULL AND ${oneOf(after)}`];
      continue;
    }
    const beyond = isAscending ? '>' : '<';
    const rest = order.slice(index);
    const set = areAlike(rest)
      ? `(${rest.map((key) => key.value).join(', ')}) ${beyond} (${position.slice(index).join(', ')})`
      : `${value} ${beyond}= ${at} AND (${value} ${beyond} ${at} OR ${oneOf(after)})`;
    after = isNullable ? [set, `${value} IS NULL`] : [set];
  }
  return after;
}
