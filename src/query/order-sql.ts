import { Invalid } from '../errors.ts';
import { isUuid } from '../model/names.ts';

type OrderType = 'text' | 'numeric' | 'bigint' | 'boolean' | 'uuid' | 'timestamptz';

/** A sort key of a list. The last key of an order is unique, so that every row has a distinct position. */
export interface OrderKey {
  readonly value: string;
  readonly type: OrderType;
  readonly isAscending: boolean;
  /** Whether the value can be NULL. Such rows come last. */
  readonly isNullable: boolean;
  /**
   * Whether the index of the key has the opposite direction. A backward scan of it returns the NULLs first, not last.
   */
  readonly isOppositeToIndex?: boolean;
  /** Whether the value is expensive to compute, so that reading an index in this order is better than sorting. */
  readonly isCostly?: boolean;
}

/** Converts the values of keys to texts in cursors, and back. */
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
  // A timestamp is written in microseconds, because its text would depend on the time zone of the connection.
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

/** The expressions after ORDER BY. */
export const orderBySql = (order: readonly OrderKey[]): string =>
  order
    .map(
      ({ value, isAscending, isNullable }) =>
        `${value} ${isAscending ? 'ASC' : 'DESC'}${isNullable ? ' NULLS LAST' : ''}`,
    )
    .join(', ');

/** SQL of a row's position in an order: a JSON array of the texts of its keys. */
export const positionSql = (order: ReadonlyArray<Pick<OrderKey, 'value' | 'type'>>): string =>
  `json_build_array(${order.map(({ value, type }) => forms[type].textOf(value)).join(', ')})`;

/** Checks the keys of a position. @throws Invalid if they do not fit the order, as in a cursor of another search. */
export function requirePosition(
  order: ReadonlyArray<Pick<OrderKey, 'type' | 'isNullable'>>,
  keys: ReadonlyArray<string | null>,
): void {
  const fits = order.every(({ type, isNullable }, index) => {
    const key = keys[index] ?? null;
    return key === null ? isNullable : forms[type].isText(key);
  });
  if (keys.length !== order.length || !fits) throw new Invalid('cursor: belongs to another sort order');
}

const areAlike = ([first, ...others]: readonly OrderKey[]): boolean =>
  others.every(({ isAscending, isNullable }) => isAscending === first?.isAscending && !isNullable);

const oneOf = (conditions: readonly string[]): string => `(${conditions.join(' OR ')})`;

/**
 * Conditions for keyset pagination: exactly one of them holds for each row after a position. They are separate conditions,
 * for separate SELECTs, because an OR would keep PostgreSQL from starting an index scan at the position. For the same
 * reason, keys with the same direction are compared as a row value: `(a, b) > ($1, $2)` is an index condition.
 * @param keys the keys of the position, as texts.
 * @param add adds a parameter to the statement and returns its SQL.
 * @throws Invalid if the keys do not fit the order.
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
