import { withoutTrailing } from '../../model/trailing.ts';
import { prefixPattern } from '../like.ts';

/** The maximum length of a prefix that is looked up. It must be below 255, where the column `title` is truncated. */
const maxPrefix = 200;

/** The literal text with which all texts begin that a pattern matches. */
const literalPrefix = (pattern: string): string =>
  /^(?:[^\\%_]|\\.)*/su.exec(pattern)?.[0].replace(/\\(.)/gsu, '$1') ?? '';

/** The path of the folder that contains all paths which a pattern matches; undefined for the root. */
export const folderOfPattern = (pattern: string): string | undefined =>
  /^(\/.+)\//s.exec(literalPrefix(pattern))?.[1];

/**
 * A pattern for the literal prefix of another pattern, which matches more texts; undefined if there is no such
 * prefix.
 */
export function prefixOfPattern(pattern: string): string | undefined {
  const beginning = [...literalPrefix(pattern)].slice(0, maxPrefix).join('');
  return beginning === '' ? undefined : prefixPattern(beginning);
}

/**
 * The first 200 characters of a text. Truncation preserves the order: if a ≥ b, then the prefix of a is ≥ that of b.
 */
export const titlePrefix = (text: string): string => [...text].slice(0, maxPrefix).join('');

/** Escapes an unpaired backslash at the end of a pattern, for which PostgreSQL would raise an error. */
export function escapedPattern(pattern: string): string {
  const backslashes = pattern.length - withoutTrailing(pattern, '\\').length;
  return backslashes % 2 === 1 ? `${pattern}\\` : pattern;
}

/** The literal characters of a pattern, with a line break in place of each wildcard. */
const named = (pattern: string): string =>
  pattern.replace(/\\(.)|[%_]/gsu, (_, literal: string | undefined) => literal ?? '\n');

/** The maximum number of words that are looked up; more of them hardly narrow the search any further. */
const maxWords = 8;

/**
 * Words that occur, between blanks, in all texts that a pattern matches. Only ASCII words are returned, whose tokens
 * are certain.
 */
export const wordsOfPattern = (pattern: string): string[] =>
  named(pattern)
    .split(' ')
    .filter((word) => /^(?:[a-z][a-z0-9]{0,99}|[0-9]{1,18})$/i.test(word))
    .slice(0, maxWords);

/**
 * Whether one of the words contains digits, such as an invoice number. It is then far more selective than its
 * trigrams.
 */
export const hasRareWord = (pattern: string): boolean =>
  wordsOfPattern(pattern).some((word) => word.length >= 5 && /[0-9]/.test(word));

/**
 * Whether a pattern contains trigrams by which an index finds matching texts: three consecutive literal letters or digits,
 * or two at the beginning.
 */
export const hasTrigrams = (pattern: string): boolean =>
  /^[\p{L}\p{N}]{2}|[\p{L}\p{N}]{3}/u.test(named(pattern));
