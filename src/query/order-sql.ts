import { Invalid } from '../errors.ts';
import { isUuid } from '../model/names.ts';

type OrderType = 'text' | 'numeric' | 'bigint' | 'boolean' | 'uuid' | 'timestamptz';

/** One of the keys that a list is sorted by. The last one of an order is unique. */
export interface OrderKey {
  readonly value: string;
  readonly type: OrderType;
  readonly isAscending: boolean;
  /** Whether it may be unset; those rows come last. */
  readonly isNullable: boolean;
  /** Whether its index is in descending order: read backwards, that begins with the unset. */
  readonly isAgainstIndex?: boolean;
  /** Whether it is computed, and had better be read from an index that has its order. */
  readonly isCostly?: boolean;
}

/** How a key is written into a cursor, and read from it. */
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
  // In microseconds, since the text of a moment depends on the time zone of the connection.
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

/** The terms of ORDER BY. */
export const orderBySql = (order: readonly OrderKey[]): string =>
  order
    .map(
      ({ value, isAscending, isNullable }) =>
        `${value} ${isAscending ? 'ASC' : 'DESC'}${isNullable ? ' NULLS LAST' : ''}`,
    )
    .join(', ');

/** The position of a row in an order, as JSON. */
export const positionSql = (order: ReadonlyArray<Pick<OrderKey, 'value' | 'type'>>): string =>
  `json_build_array(${order.map(({ value, type }) => forms[type].textOf(value)).join(', ')})`;

/** @throws Invalid for keys that are not of this order */
export function requirePosition(
  order: ReadonlyArray<Pick<OrderKey, 'type' | 'isNullable'>>,
  keys: ReadonlyArray<string | null>,
): void {
  const fits = order.every(({ type, isNullable }, index) => {
    const key = keys[index] ?? null;
    return key === null ? isNullable : forms[type].isText(key);
  });
  if (keys.length !== order.length || !fits) throw new Invalid('cursor: is of another order');
}

const areAlike = ([first, ...others]: readonly OrderKey[]): boolean =>
  others.every(({ isAscending, isNullable }) => isAscending === first?.isAscending && !isNullable);

const oneOf = (conditions: readonly string[]): string => `(${conditions.join(' OR ')})`;

/**
 * The conditions, of which exactly one holds for each row after a position in an order. Two of them are not
 * an OR, and keys of one direction are compared as a row: PostgreSQL reads an index from the position on.
 * @param keys the keys of the position as texts.
 * @param add makes a text a parameter.
 * @throws Invalid for keys that are not of this order
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
