import { Invalid } from '../errors.ts';
import { isUuid } from '../model/names.ts';
import type { SqlParameters } from './parameters.ts';
import type { SortKey } from './sort-sql.ts';

/** The sort keys of a document as texts, and its id. */
interface Position {
  readonly keys: ReadonlyArray<string | null>;
  readonly id: string;
}

const isText: Readonly<Record<SortKey['type'], (text: string) => boolean>> = {
  text: () => true,
  numeric: (text) => /^-?\d{1,400}(?:\.\d{1,400})?$/.test(text),
  boolean: (text) => text === 'true' || text === 'false',
  uuid: isUuid,
};

/**
 * The conditions, of which exactly one holds for each document `d` after a position in the order of the keys
 * and the id. Two of them are not an OR: PostgreSQL reads an index from the position on for each alone.
 * @throws Invalid for keys that are not of this order
 */
export function afterSql(
  order: readonly SortKey[],
  { keys, id }: Position,
  parameters: SqlParameters,
): readonly string[] {
  const fits = order.every(({ type }, index) => keys[index] === null || isText[type](keys[index] ?? ''));
  if (keys.length !== order.length || !fits) throw new Invalid('cursor: is of another order');
  const parameterOf = ({ type }: SortKey, text: string) => `${parameters.add(text, 'text')}::${type}`;
  let rest = `d.id > ${parameters.add(id, 'uuid')}`;
  for (const [index, key] of [...order.entries()].reverse()) {
    const text = keys[index] ?? null;
    const { value, isAscending, isNullable } = key;
    if (text === null) rest = `${value} IS NULL AND ${rest}`;
    else {
      const at = parameterOf(key, text);
      const [beyond, from] = isAscending ? ['>', '>='] : ['<', '<='];
      const set = `${value} ${from} ${at} AND (${value} ${beyond} ${at} OR ${rest})`;
      if (index === 0) return isNullable ? [set, `${value} IS NULL`] : [set];
      rest = isNullable ? `(${set} OR ${value} IS NULL)` : `(${set})`;
    }
  }
  return [rest];
}
