import type { DocumentRow } from '../../src/loaders/documents/document-row.ts';
import type { StoredValue } from '../../src/model/values/stored.ts';
import type { Comparison, Condition, Literal } from '../../src/query/ast.ts';

type Value = string | number | boolean;

const columns: Readonly<Record<string, (row: DocumentRow) => StoredValue>> = {
  'ecm:name': ({ name }) => name,
  'ecm:pos': ({ position }) => position,
  'ecm:isTrashed': ({ isTrashed }) => isTrashed,
  'ecm:isProxy': ({ isProxy }) => isProxy,
};

/** Every value that a document has at an xpath. */
function valuesOf(row: DocumentRow, property: string): Value[] {
  const column = columns[property];
  if (column) return [column(row)].filter((value) => value !== null) as Value[];
  const [first = '', ...names] = property.split('/').filter((name) => name !== '*');
  let values = [row.properties[first]].flat();
  for (const name of names) {
    values = values
      .flatMap((value) => [(value as Record<string, StoredValue> | null | undefined)?.[name]])
      .flat();
  }
  return values.filter((value) => value !== null && value !== undefined) as Value[];
}

const plain = (literal: Literal): Value =>
  typeof literal === 'object' ? (literal.kind === 'moment' ? literal.iso : '') : literal;

/** Compares texts by code points, as the database does. */
const order = (a: Value, b: Value): number =>
  typeof a === 'string' ? Buffer.compare(Buffer.from(a), Buffer.from(String(b))) : Number(a) - Number(b);

const holds: Readonly<Record<Comparison, (order: number) => boolean>> = {
  '=': (difference) => difference === 0,
  '<>': (difference) => difference !== 0,
  '<': (difference) => difference < 0,
  '<=': (difference) => difference <= 0,
  '>': (difference) => difference > 0,
  '>=': (difference) => difference >= 0,
};

/** The day of a value where the days are compared. */
const cutting =
  ({ byDay }: { readonly byDay?: true }) =>
  (value: Value): Value =>
    byDay ? String(value).slice(0, 10) : value;

function isLike(value: Value, pattern: string, ignoresCase: boolean): boolean {
  const escaped = pattern.replace(/\\(.)|\\$|[%_]|[^\\%_]+/gsu, (part, literal) => {
    if (part === '%') return '[^]*';
    if (part === '_') return '[^]';
    return (literal ?? part).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  });
  return new RegExp(`^${escaped}$`, ignoresCase ? 'iu' : 'u').test(String(value));
}

/** Whether a condition is true for a document, computed without a database; must agree with the SQL. */
export function isTrue(condition: Condition, row: DocumentRow): boolean {
  switch (condition.kind) {
    case 'and':
      return condition.of.every((one) => isTrue(one, row));
    case 'or':
      return condition.of.some((one) => isTrue(one, row));
    case 'not':
      return !isTrue(condition.of, row);
    case 'some':
      throw new Error('the conditions of these tests have no numbered elements');
    default:
      break;
  }
  const values = valuesOf(row, condition.property);
  switch (condition.kind) {
    case 'isNull':
      return values.length === 0;
    case 'in':
      return values.some((value) => condition.values.some((one) => order(value, plain(one)) === 0));
    case 'between': {
      const cut = cutting(condition);
      const [from, to] = [cut(plain(condition.from)), cut(plain(condition.to))];
      return values.some((value) => order(cut(value), from) >= 0 && order(cut(value), to) <= 0);
    }
    case 'like':
      return values.some((value) => isLike(value, condition.pattern, condition.ignoresCase));
    case 'startsWith':
      return values.some((value) => `${value}/`.startsWith(`${condition.prefix.replace(/\/+$/, '')}/`));
    default: {
      const { op } = condition;
      const cut = cutting(condition);
      const test = (by: Comparison) =>
        values.some((value) => holds[by](order(cut(value), cut(plain(condition.value)))));
      return op === '<>' ? !test('=') : test(op);
    }
  }
}
