import { createHash } from 'node:crypto';
import type { Atom } from './atoms.ts';

// The lexemes that the full-text index stores in a tsvector and that queries look up with a tsquery.

/** The maximum length of a lexeme that is stored unchanged, in UTF-16 code units. PostgreSQL allows 2,046 bytes. */
const maxLength = 250;

/** The number of characters of a longer lexeme that precede its hash. */
export const maxBeginning = 200;

const hashOf = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, length);

/**
 * Makes a lexeme fit into a tsvector: a long lexeme is replaced with its first characters and a hash of the whole
 * lexeme.
 */
export const shortened = (lexeme: string): string =>
  lexeme.length <= maxLength
    ? lexeme
    : `${lexeme.slice(0, maxBeginning).toWellFormed()}-${hashOf(lexeme, 22)}`;

/**
 * Returns the lexeme of two adjacent characters of a script without spaces. In the lexeme, a space separates the second
 * character from any marks of the first.
 */
export const pairOf = (first: string, second: string): string => `${first} ${second}`;

/**
 * Returns the lexeme of the last character before a separator, which has no following character to form a pair with.
 */
export const lastOf = (character: string): string => `${character} `;

/**
 * Returns the lexeme of a compound. The punctuation that joins its words makes no difference: `a-b`, `a.b` and `a_b`
 * have the same lexeme.
 */
export const compoundOf = (atoms: readonly Atom[]): string =>
  atoms.map(({ folded, joint }, index) => (index === 0 ? '' : (joint?.sign ?? '')) + folded).join('');

/**
 * The lexeme that marks a tsvector with missing positions, in which queries match the words of a phrase in any order.
 */
export const incomplete = ' ';

const prefixes = new Map<string, string>();

/** Returns the prefix of the lexemes for searches within a single property. */
export function propertyPrefix(property: string): string {
  const known = prefixes.get(property) ?? `${hashOf(property, 4)}:`;
  if (prefixes.size < 10_000) prefixes.set(property, known);
  return known;
}

/** Quotes a lexeme for a tsvector or tsquery in text form. */
export const quoted = (lexeme: string): string =>
  `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
