import { createHash } from 'node:crypto';
import type { Atom } from './atoms.ts';

// The lexemes that the full-text index stores in a tsvector and that queries look up with a tsquery.

/** The longest lexeme that is stored as it is, in UTF-16 units. PostgreSQL allows 2,046 bytes. */
const maxLength = 250;

/** The number of characters of a longer lexeme that are stored before its hash. */
export const maxBeginning = 200;

const hashOf = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, length);

/** A lexeme that fits into a tsvector. A long lexeme is replaced with its beginning and a hash. */
export const shortened = (lexeme: string): string =>
  lexeme.length <= maxLength
    ? lexeme
    : `${lexeme.slice(0, maxBeginning).toWellFormed()}-${hashOf(lexeme, 22)}`;

/**
 * The lexeme of two adjacent characters in a script without spaces. The space between them distinguishes marks of the first
 * character from the second character.
 */
export const pairOf = (first: string, second: string): string => `${first} ${second}`;

/** The lexeme of the last character before a separator, which has no next character to form a pair with. */
export const lastOf = (character: string): string => `${character} `;

/** The lexeme of a compound. The signs that join its words make no difference: `a-b`, `a.b` and `a_b` have the same lexeme. */
export const compoundOf = (atoms: readonly Atom[]): string =>
  atoms.map(({ folded, joint }, index) => (index === 0 ? '' : (joint?.sign ?? '')) + folded).join('');

/** The lexeme of a tsvector that lacks positions, so that phrases are matched by their words in any order. */
export const incomplete = ' ';

const prefixes = new Map<string, string>();

/** The prefix of the lexemes with which a single property is searched. */
export function propertyPrefix(property: string): string {
  const known = prefixes.get(property) ?? `${hashOf(property, 4)}:`;
  if (prefixes.size < 10_000) prefixes.set(property, known);
  return known;
}

/** Quotes a lexeme for a tsvector or tsquery in text form. */
export const quoted = (lexeme: string): string =>
  `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
