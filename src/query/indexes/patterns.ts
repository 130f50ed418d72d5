import { withoutTrailing } from '../../model/trailing.ts';
import { prefixPattern } from '../like.ts';

/** Characters of a beginning that an index looks for: titles are cut at 255. */
const maxBeginning = 200;

/** How all texts begin that a pattern matches. */
const literalBeginning = (pattern: string): string =>
  /^(?:[^\\%_]|\\.)*/su.exec(pattern)?.[0].replace(/\\(.)/gsu, '$1') ?? '';

/** The folder whose path all paths begin with that a pattern matches; undefined where that is the root. */
export const folderOfPattern = (pattern: string): string | undefined =>
  /^(\/.+)\//s.exec(literalBeginning(pattern))?.[1];

/** A pattern for all texts that begin as those which a pattern matches; undefined where it begins openly. */
export function beginningOf(pattern: string): string | undefined {
  const beginning = [...literalBeginning(pattern)].slice(0, maxBeginning).join('');
  return beginning === '' ? undefined : prefixPattern(beginning);
}

/** No text that is not less has a lesser beginning. */
export const leastTitle = (text: string): string => [...text].slice(0, maxBeginning).join('');

/** PostgreSQL refuses a pattern that ends with an escape character: an unpaired last one is literal. */
export function soundPattern(pattern: string): string {
  const backslashes = pattern.length - withoutTrailing(pattern, '\\').length;
  return backslashes % 2 === 1 ? `${pattern}\\` : pattern;
}

/** A pattern of which `\n` stands for what it leaves open. */
const named = (pattern: string): string =>
  pattern.replace(/\\(.)|[%_]/gsu, (_, literal: string | undefined) => literal ?? '\n');

/** Words that are looked for; more leave hardly less. */
const mostWords = 8;

/** The words of letters without accents, or of digits, that are between blanks in all texts that match. */
export const wordsOfPattern = (pattern: string): string[] =>
  named(pattern)
    .split(' ')
    .filter((word) => /^(?:[a-z][a-z0-9]{0,99}|[0-9]{1,18})$/i.test(word))
    .slice(0, mostWords);

/** Whether one of these is a number of a document, or the like: its trigrams are more frequent by far. */
export const hasRareWord = (pattern: string): boolean =>
  wordsOfPattern(pattern).some((word) => word.length >= 5 && /[0-9]/.test(word));

/**
 * Whether an index of trigrams knows texts that match: three letters or digits in a row of those that the
 * pattern names, or two at its beginning.
 */
export const hasTrigrams = (pattern: string): boolean =>
  /^[\p{L}\p{N}]{2}|[\p{L}\p{N}]{3}/u.test(named(pattern));
