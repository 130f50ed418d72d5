import { createHash } from 'node:crypto';
import type { Atom } from './atoms.ts';

// The lexemes of the full-text index, as they are written to a tsvector and looked for by a tsquery.

/** The longest lexeme that is stored as it is, in UTF-16 units. PostgreSQL allows 2,046 bytes. */
const maxLength = 250;

/** The characters at the beginning of a longer lexeme that are stored, before its hash. */
export const maxBeginning = 200;

const hashOf = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, length);

/** A lexeme that fits into a tsvector: of a long one its beginning and a hash. */
export const shortened = (lexeme: string): string =>
  lexeme.length <= maxLength
    ? lexeme
    : `${lexeme.slice(0, maxBeginning).toWellFormed()}-${hashOf(lexeme, 22)}`;

/** Two adjacent characters of a script without spaces. The space keeps the marks of the first one apart from the second. */
export const pairOf = (first: string, second: string): string => `${first} ${second}`;

/** The last character before a separator, which begins no pair. */
export const lastOf = (character: string): string => `${character} `;

/** The words of a compound. Signs that join words are not distinguished: `a-b`, `a.b` and `a_b` are the same. */
export const compoundOf = (atoms: readonly Atom[]): string =>
  atoms.map(({ folded, joint }, index) => (index === 0 ? '' : (joint?.sign ?? '')) + folded).join('');

/** Marks a tsvector without the positions of all words, for which phrases are compared by their words only. */
export const incomplete = ' ';

const prefixes = new Map<string, string>();

/** The beginning of all lexemes of one property, by which its words are searched alone. */
export function propertyPrefix(property: string): string {
  const known = prefixes.get(property) ?? `${hashOf(property, 4)}:`;
  if (prefixes.size < 10_000) prefixes.set(property, known);
  return known;
}

/** A lexeme in the text of a tsvector or tsquery. */
export const quoted = (lexeme: string): string =>
  `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
