import { wordsQuery } from '../full-text.ts';
import type { Compilation } from '../operand.ts';
import { indexedValueOf } from './indexed-values.ts';
import { prefixOfPattern, titlePrefix, wordsOfPattern } from './patterns.ts';

/**
 * The predicate of the partial index on prefixes of titles. PostgreSQL uses the index only for queries that repeat
 * it.
 */
const titleIsSet = ({ parameters }: Compilation): string =>
  `d.title <> '' AND ${indexedValueOf('dc:title', 'string', parameters)} IS NOT NULL`;

/** A condition on the indexed column `title` that all titles from `min` to `max` satisfy. */
export function titleRangeSql(
  { min, max }: { min?: string; max?: string },
  compilation: Compilation,
): string {
  const add = (text: string) => compilation.parameters.add(text, 'text');
  const isNotLess = min ? [`d.title ~>=~ ${add(titlePrefix(min))}`] : [];
  const isNotMore = max === undefined ? [] : [`d.title ~<=~ ${add(max)}`];
  const isWithin = [titleIsSet(compilation), ...isNotLess, ...isNotMore].join(' AND ');
  return min ? isWithin : `(d.title = '' OR (${isWithin}))`;
}

/**
 * A condition on the indexed column `title` that all titles with the literal prefix of a pattern satisfy. It is equivalent
 * to the pattern if that consists only of a prefix and `%`. Undefined if the pattern has no literal prefix.
 */
export function titlePrefixSql(pattern: string, compilation: Compilation): string | undefined {
  const beginning = prefixOfPattern(pattern);
  if (beginning === undefined) return undefined;
  return `${titleIsSet(compilation)} AND d.title LIKE ${compilation.parameters.add(beginning, 'text')}`;
}

const isTruncated = "d.title LIKE repeat('_', 255) || '%'";

/**
 * Titles whose indexed words can differ from their visible words: PostgreSQL takes text after "<" for a tag, and the column
 * has only the first 255 characters. They are tested in any case. A partial index has the same predicate.
 */
const areWordsUnreliable = `d.title LIKE '%<%' OR ${isTruncated}`;

/**
 * A condition that all titles satisfy which pass a test. It tests the column, which is cheaper to read than the terms. The
 * column contains the complete title unless that is longer than 255 characters.
 */
export const titleColumnSql = (test: (value: string) => string): string =>
  `(${test('d.title')} OR ${isTruncated})`;

/**
 * The maximum number of patterns in a query that use the index of words. Hundreds would take PostgreSQL seconds to
 * plan.
 */
const maxWordPatterns = 20;

/**
 * A condition, answered by the full-text index, that all titles satisfy which match a pattern with whole words. Undefined if
 * the pattern has none, or only stop words.
 */
export function titleWordsSql(pattern: string, compilation: Compilation): string | undefined {
  const words = wordsOfPattern(pattern).map((text) => ({ text, isExcluded: false, isPrefix: false }));
  if (compilation.counts.wordPatterns >= maxWordPatterns) return undefined;
  const query = wordsQuery([words], compilation.fullTexts.analysis);
  if (query === '') return undefined;
  compilation.counts.wordPatterns += 1;
  return `(d.words @@ ${compilation.parameters.add(query, 'tsquery')} OR ${areWordsUnreliable})`;
}
