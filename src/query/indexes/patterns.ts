import { withoutTrailing } from '../../model/trailing.ts';

/** Characters of a beginning that an index looks for: titles are cut at 255. */
const maxBeginning = 200;

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** A pattern for all texts that begin so. */
export const patternOfBeginning = (text: string): string => `${escaped(text)}%`;

/** How all texts begin that a pattern matches. */
const literalBeginning = (pattern: string): string =>
  /^(?:[^\\%_]|\\.)*/su.exec(pattern)?.[0].replace(/\\(.)/gsu, '$1') ?? '';

/** The folder whose path all paths begin with that a pattern matches; undefined where that is the root. */
export const folderOfPattern = (pattern: string): string | undefined =>
  /^(\/.+)\//s.exec(literalBeginning(pattern))?.[1];

/** A pattern for all texts that begin as those which a pattern matches; undefined where it begins openly. */
export function beginningOf(pattern: string): string | undefined {
  const beginning = [...literalBeginning(pattern)].slice(0, maxBeginning).join('');
  return beginning === '' ? undefined : patternOfBeginning(beginning);
}

/** No text that is not less has a lesser beginning. */
export const leastTitle = (text: string): string => [...text].slice(0, maxBeginning).join('');

/** PostgreSQL refuses a pattern that ends with an escape character: an unpaired last one is literal. */
export function soundPattern(pattern: string): string {
  const backslashes = pattern.length - withoutTrailing(pattern, '\\').length;
  return backslashes % 2 === 1 ? `${pattern}\\` : pattern;
}

/**
 * Whether an index of trigrams knows texts that match: three letters or digits in a row of those that the
 * pattern names, or two at its beginning.
 */
export function hasTrigrams(pattern: string): boolean {
  const named = pattern.replace(/\\(.)|[%_]/gsu, (_, literal: string | undefined) => literal ?? '\n');
  return /^[\p{L}\p{N}]{2}|[\p{L}\p{N}]{3}/u.test(named);
}
