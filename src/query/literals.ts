import { isJsonList, readListText } from '../model/values/list-text.ts';
import { fieldOf } from '../model/values/stored.ts';
import type { Literal } from './ast.ts';
import { type QueryBudget, requireShort } from './budget.ts';
import type { TokenCursor } from './cursor.ts';
import { isDuration, momentText } from './moment.ts';
import { syntaxFault, type Token } from './tokens.ts';

/** The values of a query's parameters, which are never parsed as part of the query text. */
export interface Bindings {
  readonly positional: readonly unknown[];
  readonly named: Readonly<Record<string, unknown>>;
  /** The value of each `$name`, which can also be quoted. */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Reads the literals and parameters of one query. Each function throws QueryFault if the token is of another kind, and
 * TooLarge if a string contains more items than the limit on JSON values allows.
 */
export interface LiteralReader {
  one(cursor: TokenCursor): Literal;
  text(cursor: TokenCursor): string;
  /** Reads one value, or all values of a parameter that is a list. */
  list(cursor: TokenCursor): readonly Literal[];
}

const isPlain = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/**
 * Returns the items of a parameter that is a list or the JSON of a list. Other strings are not split at commas, because
 * a comma can be part of a value.
 */
const listOf = (value: unknown): readonly unknown[] =>
  (typeof value === 'string' && isJsonList(value) ? readListText(value) : undefined) ?? [value].flat();

const isMoment = (text: string): boolean => {
  try {
    return momentText({ kind: 'moment', iso: text }, '') !== '';
  } catch {
    return false;
  }
};

/** Literals that begin with a word: `DATE '2024-01-31'`, `TIMESTAMP '2024-01-31 10:00:00'`, `NOW('-P7D')`, `TRUE`. */
const words: Readonly<Record<string, (cursor: TokenCursor) => Literal>> = {
  DATE: readMoment,
  TIMESTAMP: readMoment,
  NOW: (cursor) => {
    cursor.expect('(');
    if (cursor.accept(')')) return { kind: 'now' };
    const { value, at } = cursor.read('text', 'a duration or )');
    if (!isDuration(value)) throw syntaxFault(at, `"${value.slice(0, 40)}" is not an ISO 8601 duration`);
    cursor.expect(')');
    return { kind: 'now', duration: value };
  },
  TRUE: () => true,
  FALSE: () => false,
};

function readMoment(cursor: TokenCursor): Literal {
  const { value, at } = cursor.read('text', 'a quoted date');
  if (!isMoment(value)) throw syntaxFault(at, `"${value.slice(0, 40)}" is not a W3C date-time`);
  return { kind: 'moment', iso: value };
}

function numberOf({ value, at }: Token): number {
  const number = Number(value);
  if (!Number.isFinite(number)) throw syntaxFault(at, `${value.slice(0, 40)} is too large`);
  return number;
}

export function createLiteralReader(
  { positional, named, variables }: Bindings,
  budget: QueryBudget,
): LiteralReader {
  budget.spend('parameters', positional.length + Object.keys(named).length);
  const lists = new Map<unknown, readonly unknown[]>();
  let next = 0;
  const expand = (text: string): string =>
    (text.startsWith('$') ? fieldOf(variables, text.slice(1)) : undefined) ?? text;

  const variable = ({ value: name, at }: Token): string => {
    const value = fieldOf(variables, name);
    if (value === undefined) throw syntaxFault(at, `unknown variable $${name}`);
    return value;
  };

  const bound = ({ value: name, source, at }: Token): unknown => {
    const value = name ? fieldOf(named, name) : positional[next++];
    if (value === null || value === undefined) throw syntaxFault(at, `there is no value for ${source}`);
    return value;
  };
  const literalOf = (value: unknown, { source, at }: Token): Literal => {
    if (typeof value === 'string') {
      requireShort(`query: at ${at}: ${source}`, value);
      return expand(value);
    }
    if (isPlain(value) && !Number.isNaN(value)) return value;
    throw syntaxFault(at, `the value for ${source} must be a string, number or boolean`);
  };

  const one = (cursor: TokenCursor): Literal => {
    const { token } = cursor;
    switch (token.kind) {
      case 'text':
        return expand(cursor.read('text', 'a value').value);
      case 'number':
        return numberOf(cursor.read('number', 'a value'));
      case 'variable':
        return variable(cursor.read('variable', 'a value'));
      case 'parameter':
        return literalOf(bound(cursor.read('parameter', 'a value')), token);
      default: {
        const word = Object.keys(words).find((name) => cursor.accept(name));
        const read = word === undefined ? undefined : words[word];
        if (!read) throw cursor.unexpectedToken('a value');
        return read(cursor);
      }
    }
  };
  return {
    one,
    text: (cursor) => {
      const { at } = cursor.token;
      const value = one(cursor);
      if (typeof value !== 'string') throw syntaxFault(at, 'expected a string');
      return value;
    },
    list: (cursor) => {
      const { token } = cursor;
      if (token.kind !== 'parameter') return [one(cursor)];
      const value = bound(cursor.read('parameter', 'a value'));
      const list = lists.get(value) ?? listOf(value);
      lists.set(value, list);
      budget.spend('values', list.length);
      return list.map((one) => literalOf(one, token));
    },
  };
}
