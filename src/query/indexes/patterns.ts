import { withoutTrailing } from '../../model/trailing.ts';
import { prefixPattern } from '../like.ts';

/**
 * The maximum length of a prefix that is looked up. It must be below 255, the length to which the column `title` is
 * truncated.
 */
const maxPrefix = 200;

/** Returns the literal text with which all matches of a pattern begin. */
const literalPrefix = (pattern: string): string =>
  /^(?:[^\\%_]|\\.)*/su.exec(pattern)?.[0].replace(/\\(.)/gsu, '$1') ?? '';

/** Returns the path of the folder that contains all paths matching a pattern; undefined if that is the root. */
export const folderOfPattern = (pattern: string): string | undefined =>
  /^(\/.+)\//s.exec(literalPrefix(pattern))?.[1];

/**
 * Returns a pattern for the literal prefix of another pattern. It matches everything that the other pattern
 * matches, and more. Returns undefined if there is no literal prefix.
 */
export function prefixOfPattern(pattern: string): string | undefined {
  const beginning = [...literalPrefix(pattern)].slice(0, maxPrefix).join('');
  return beginning === '' ? undefined : prefixPattern(beginning);
}

/**
 * Returns the first 200 characters of a string. Truncation preserves the order: if a ≥ b, then the prefix of a is ≥
 * the prefix of b.
 */
export const titlePrefix = (text: string): string => [...text].slice(0, maxPrefix).join('');

/** Escapes a single backslash at the end of a pattern, because PostgreSQL would raise an error for it. */
export function escapedPattern(pattern: string): string {
  const backslashes = pattern.length - withoutTrailing(pattern, '\\').length;
  return backslashes % 2 === 1 ? `${pattern}\\` : pattern;
}

/** Returns the literal characters of a pattern, with a line break in place of each wildcard. */
const named = (pattern: string): string =>
  pattern.replace(/\\(.)|[%_]/gsu, (_, literal: string | undefined) => literal ?? '\n');

/** The maximum number of words that are looked up; further words hardly narrow the search. */
const maxWords = 8;

/**
 * Returns words that occur, separated by blanks, in all matches of a pattern. Only ASCII words are returned, because it
 * is uncertain how the full-text index splits other words.
 */
export const wordsOfPattern = (pattern: string): string[] =>
  named(pattern)
    .split(' ')
    .filter((word) => /^(?:[a-z][a-z0-9]{0,99}|[0-9]{1,18})$/i.test(word))
    .slice(0, maxWords);

/**
 * Returns whether one of the words contains digits, like an invoice number. Such a word is much more selective than
 * its trigrams.
 */
export const hasRareWord = (pattern: string): boolean =>
  wordsOfPattern(pattern).some((word) => word.length >= 5 && /[0-9]/.test(word));

/**
 * Returns whether a trigram index can find matches of a pattern: it needs three consecutive literal letters or
 * digits, or two at the beginning.
 */
export const hasTrigrams = (pattern: string): boolean =>
  /^[\p{L}\p{N}]{2}|[\p{L}\p{N}]{3}/u.test(named(pattern));
