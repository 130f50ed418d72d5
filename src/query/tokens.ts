import { Invalid } from '../errors.ts';
import { requireShort } from './budget.ts';
import { QueryFault } from './query-fault.ts';

export interface Token {
  readonly kind: 'name' | 'text' | 'number' | 'parameter' | 'variable' | 'sign' | 'end';
  /** The decoded source: a text without quotes, a parameter without colon. */
  readonly value: string;
  readonly source: string;
  /** Position of the first character, from 1. */
  readonly at: number;
}

/** Blanks, and comments, which are hints to other servers. */
const between = /(?:\s|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)*/y;

const letters = '[\\p{L}_][\\p{L}\\p{N}_.:-]*';

/** The first that matches applies. */
const patterns = [
  ['name', new RegExp(`${letters}(?:/(?:\\*\\d*|[\\p{L}\\p{N}_.-]+)|\\[(?:\\d+|\\*)\\])*`, 'uy')],
  ['text', /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/sy],
  ['number', /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y],
  ['parameter', new RegExp(`\\?|:${letters}`, 'uy')],
  ['variable', /\$\w+/y],
  ['sign', /<>|<=|>=|!=|[=<>(),*]/y],
] as const;

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  "'": "'",
  '"': '"',
  '\\': '\\',
};

/** Keeps a backslash that escapes nothing, since it may escape a wildcard of LIKE. */
const unquoted = (source: string): string =>
  source.slice(1, -1).replace(/\\(.)/gs, (both, escaped: string) => escapes[escaped] ?? both);

const decoders: Partial<Record<Token['kind'], (source: string) => string>> = {
  text: unquoted,
  parameter: (source) => source.slice(1),
  variable: (source) => source.slice(1),
};

export const syntaxFault = (at: number, what: string): QueryFault => new QueryFault(what, at);

/** Kept aside: searches are compared, and stored, by their trees alone. */
const positions = new WeakMap<object, readonly number[]>();

/** @param at the positions of what a part of a syntax tree was read from. */
export function placed<Part extends object>(part: Part, at: readonly number[]): Part {
  positions.set(part, at);
  return part;
}

export const placedAs = <Part extends object>(original: Part, part: Part): Part =>
  placed(part, positions.get(original) ?? []);

/** Compiles a part of a syntax tree, or an item of it; a fault gets the position, where that is known. */
export function atPlaceOf<Result>(part: object, compile: () => Result, item = 0): Result {
  try {
    return compile();
  } catch (error) {
    const at = positions.get(part)?.[item];
    const isOfQuery = error instanceof Invalid && error.field === 'query';
    const isPlaced = error instanceof QueryFault && error.at !== undefined;
    throw at !== undefined && isOfQuery && !isPlaced ? syntaxFault(at, error.fault) : error;
  }
}

function tokenAt(query: string, index: number): Token {
  const at = index + 1;
  if (index >= query.length) return { kind: 'end', value: '', source: '', at };
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = index;
    const source = pattern.exec(query)?.[0];
    if (source !== undefined) return { kind, source, at, value: decoders[kind]?.(source) ?? source };
  }
  const character = String.fromCodePoint(query.codePointAt(index) ?? 0);
  const isText = character === "'" || character === '"';
  throw syntaxFault(at, isText ? 'a text that does not end' : `unexpected ${JSON.stringify(character)}`);
}

/** Splits a query into tokens, the last of which is `end`. @throws Invalid with the position of a fault. */
export function tokenize(query: string): Token[] {
  requireShort('query', query);
  const tokens: Token[] = [];
  let index = 0;
  for (;;) {
    between.lastIndex = index;
    index += between.exec(query)?.[0].length ?? 0;
    const token = tokenAt(query, index);
    tokens.push(token);
    if (token.kind === 'end') return tokens;
    index += token.source.length;
  }
}
