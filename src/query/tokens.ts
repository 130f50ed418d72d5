import { Invalid } from '../errors.ts';

/** What a query is made of. */
export interface Token {
  readonly kind: 'name' | 'text' | 'number' | 'parameter' | 'variable' | 'sign' | 'end';
  /** As it is meant: a text without its quotes, a parameter without its colon. */
  readonly value: string;
  /** As it is written. */
  readonly source: string;
  /** Of its first character, from 1. */
  readonly at: number;
}

/** Longer queries nobody writes. */
const longest = 100_000;

/** What there is between tokens: blanks, and comments, which are hints to other servers. */
const between = /(?:\s+|\/\*.*?\*\/)*/sy;

const letters = '[\\p{L}_][\\p{L}\\p{N}_.:-]*';

/** Of the kinds that match, the first counts. */
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

/** Without quotes; a backslash that escapes nothing stays, since LIKE may mean it. */
const unquoted = (source: string): string =>
  source.slice(1, -1).replace(/\\(.)/gs, (both, escaped: string) => escapes[escaped] ?? both);

const meant: Partial<Record<Token['kind'], (source: string) => string>> = {
  text: unquoted,
  parameter: (source) => source.slice(1),
  variable: (source) => source.slice(1),
};

/** What is at a place of a query, or why nothing can be. */
export const faultAt = (at: number, what: string): Invalid => new Invalid(`query: at ${at}: ${what}`);

function tokenAt(query: string, index: number): Token {
  const at = index + 1;
  if (index >= query.length) return { kind: 'end', value: '', source: '', at };
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = index;
    const source = pattern.exec(query)?.[0];
    if (source !== undefined) return { kind, source, at, value: meant[kind]?.(source) ?? source };
  }
  const character = String.fromCodePoint(query.codePointAt(index) ?? 0);
  const isText = character === "'" || character === '"';
  throw faultAt(at, isText ? 'a text that does not end' : `unexpected ${JSON.stringify(character)}`);
}

/** The tokens of a query, the last of which is its end. @throws Invalid naming the place where none is. */
export function tokensOf(query: string): Token[] {
  if (query.length > longest) throw new Invalid(`query: longer than ${longest} characters`);
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
