import { Invalid } from '../errors.ts';
import { requireShort } from './budget.ts';
import { QueryFault } from './query-fault.ts';

export interface Token {
  readonly kind: 'name' | 'text' | 'number' | 'parameter' | 'variable' | 'sign' | 'end';
  /** The decoded value: a string without its quotes, or a parameter without its colon. */
  readonly value: string;
  readonly source: string;
  /** The position of the first character, counted from 1. */
  readonly at: number;
}

/**
 * White space and comments between tokens. Comments are ignored; clients use them as optimizer hints for other servers.
 */
const whitespace = /(?:\s|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)*/y;

const letters = '[\\p{L}_][\\p{L}\\p{N}_.:-]*';

/** The patterns of tokens, in the order in which they are tried. */
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

/**
 * Decodes a quoted string. A backslash that does not begin a known escape sequence is preserved, because it can escape
 * a LIKE wildcard.
 */
const unquoted = (source: string): string =>
  source.slice(1, -1).replace(/\\(.)/gs, (both, escaped: string) => escapes[escaped] ?? both);

const decoders: Partial<Record<Token['kind'], (source: string) => string>> = {
  text: unquoted,
  parameter: (source) => source.slice(1),
  variable: (source) => source.slice(1),
};

export const syntaxFault = (at: number, what: string): QueryFault => new QueryFault(what, at);

/**
 * The positions of the parts of syntax trees. They are stored separately, because syntax trees are compared and
 * used as cache keys.
 */
const positions = new WeakMap<object, readonly number[]>();

/**
 * Records the positions in the query from which a part of a syntax tree was read.
 * @param at the positions of the part's items
 */
export function withPosition<Part extends object>(part: Part, at: readonly number[]): Part {
  positions.set(part, at);
  return part;
}

/** Copies the position of a part of a syntax tree to a part that was derived from it. */
export const withPositionOf = <Part extends object>(original: Part, part: Part): Part =>
  withPosition(part, positions.get(original) ?? []);

/**
 * Compiles a part of a syntax tree. If the compilation fails with an error that has no position, the error gets the
 * position of the part.
 */
export function withPositionInErrors<Result>(part: object, compile: () => Result, item = 0): Result {
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
  throw syntaxFault(
    at,
    isText ? 'a string without a closing quote' : `unexpected ${JSON.stringify(character)}`,
  );
}

/**
 * Splits a query into tokens. The last token has the kind `end`.
 * @throws QueryFault with the position of the error
 */
export function tokenize(query: string): Token[] {
  requireShort('query', query);
  const tokens: Token[] = [];
  let index = 0;
  for (;;) {
    whitespace.lastIndex = index;
    index += whitespace.exec(query)?.[0].length ?? 0;
    const token = tokenAt(query, index);
    tokens.push(token);
    if (token.kind === 'end') return tokens;
    index += token.source.length;
  }
}
