import type { Literal } from './ast.ts';
import type { Cursor } from './cursor.ts';
import { isDuration, momentText } from './moment.ts';
import { faultAt, type Token } from './tokens.ts';

/** What a query leaves open, and its caller brings: values, which are never read as part of the query. */
export interface Bindings {
  /** For each `?`, in order. */
  readonly positional: readonly unknown[];
  /** For each `:name`. */
  readonly named: Readonly<Record<string, unknown>>;
  /** For `$name`, also as a text: `currentUser`. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Reads the values of one query. */
export interface Literals {
  /** One value. @throws Invalid */
  one(cursor: Cursor): Literal;
  /** A text. @throws Invalid */
  text(cursor: Cursor): string;
  /** As many as a bound list has, or one. @throws Invalid */
  some(cursor: Cursor): readonly Literal[];
}

const isPlain = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** A bound value: a list, the JSON text of one, or what stands alone. */
function listOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'string' || !/^\s*\[.*\]\s*$/s.test(value)) return [value].flat();
  try {
    return [JSON.parse(value)].flat();
  } catch {
    return [value];
  }
}

const isMoment = (text: string): boolean => {
  try {
    return momentText({ kind: 'moment', iso: text }, '') !== '';
  } catch {
    return false;
  }
};

/** `DATE '2024-01-31'`, `TIMESTAMP '2024-01-31 10:00:00'`, `NOW()`, `NOW('-P7D')`, `TRUE`, `FALSE`. */
const words: Readonly<Record<string, (cursor: Cursor) => Literal>> = {
  DATE: readMoment,
  TIMESTAMP: readMoment,
  NOW: (cursor) => {
    cursor.needs('(');
    if (cursor.takes(')')) return { kind: 'now' };
    const { value, at } = cursor.read('text', 'a duration or )');
    if (!isDuration(value)) throw faultAt(at, `"${value.slice(0, 40)}" is not an ISO 8601 duration`);
    cursor.needs(')');
    return { kind: 'now', duration: value };
  },
  TRUE: () => true,
  FALSE: () => false,
};

function readMoment(cursor: Cursor): Literal {
  const { value, at } = cursor.read('text', 'a date as text');
  if (!isMoment(value)) throw faultAt(at, `"${value.slice(0, 40)}" is not a W3C date-time`);
  return { kind: 'moment', iso: value };
}

function numberOf({ value, at }: Token): number {
  const number = Number(value);
  if (!Number.isFinite(number)) throw faultAt(at, `${value.slice(0, 40)} is too large`);
  return number;
}

/** What reads the values of a query, whose open ones are given. */
export function literalsWith({ positional, named, variables }: Bindings): Literals {
  let next = 0;
  const variable = (name: string, at: number): string => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value === undefined) throw faultAt(at, `unknown variable $${name}`);
    return value;
  };
  const isVariable = (text: string): boolean =>
    text.startsWith('$') && Object.hasOwn(variables, text.slice(1));
  const plain = (text: string, at: number): string => (isVariable(text) ? variable(text.slice(1), at) : text);

  const bound = ({ value: name, source, at }: Token): unknown => {
    const value = name ? Object.hasOwn(named, name) && named[name] : positional[next++];
    const isThere = name ? Object.hasOwn(named, name) : next <= positional.length;
    if (!isThere || value === null || value === undefined) throw faultAt(at, `no value for ${source}`);
    return value;
  };
  const literalOf = (value: unknown, { source, at }: Token): Literal => {
    if (typeof value === 'string') return plain(value, at);
    if (isPlain(value) && !Number.isNaN(value)) return value;
    throw faultAt(at, `the value for ${source} is no text, number or boolean`);
  };

  const one = (cursor: Cursor): Literal => {
    const { token } = cursor;
    switch (token.kind) {
      case 'text':
        return plain(cursor.read('text', 'a value').value, token.at);
      case 'number':
        return numberOf(cursor.read('number', 'a value'));
      case 'variable':
        return variable(cursor.read('variable', 'a value').value, token.at);
      case 'parameter':
        return literalOf(bound(cursor.read('parameter', 'a value')), token);
      default: {
        const word = Object.keys(words).find((name) => cursor.takes(name));
        const read = word === undefined ? undefined : words[word];
        if (!read) throw cursor.expected('a value');
        return read(cursor);
      }
    }
  };
  return {
    one,
    text: (cursor) => {
      const { at } = cursor.token;
      const value = one(cursor);
      if (typeof value !== 'string') throw faultAt(at, 'expected a text');
      return value;
    },
    some: (cursor) => {
      const { token } = cursor;
      if (token.kind !== 'parameter') return [one(cursor)];
      return listOf(bound(cursor.read('parameter', 'a value'))).map((value) => literalOf(value, token));
    },
  };
}
