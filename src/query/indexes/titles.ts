import { wordsQuery } from '../full-text.ts';
import type { Compilation } from '../operand.ts';
import { indexedValueOf } from './indexed-values.ts';
import { prefixOfPattern, titlePrefix, wordsOfPattern } from './patterns.ts';

/**
 * Returns the predicate of the partial index on prefixes of titles. PostgreSQL uses the index only for queries that
 * repeat the predicate.
 */
const titleIsSet = ({ parameters }: Compilation): string =>
  `d.title <> '' AND ${indexedValueOf('dc:title', 'string', parameters)} IS NOT NULL`;

/** Returns a condition on the indexed column `title` that is true for all titles from `min` to `max`. */
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
 * Returns a condition on the indexed column `title` that is true for all titles with the literal prefix of a
 * pattern. If the pattern consists only of a prefix and `%`, the condition is equivalent to it. Returns undefined
 * if the pattern has no literal prefix.
 */
export function titlePrefixSql(pattern: string, compilation: Compilation): string | undefined {
  const beginning = prefixOfPattern(pattern);
  if (beginning === undefined) return undefined;
  return `${titleIsSet(compilation)} AND d.title LIKE ${compilation.parameters.add(beginning, 'text')}`;
}

const isTruncated = "d.title LIKE repeat('_', 255) || '%'";

/**
 * The condition that the indexed words of a title can differ from its visible words: PostgreSQL treats text after "<"
 * as a tag, and the column contains only the first 255 characters. Such titles are always tested. There is a partial
 * index with the same predicate.
 */
const areWordsUnreliable = `d.title LIKE '%<%' OR ${isTruncated}`;

/**
 * Returns a condition that is true for all titles that satisfy a test. The condition tests the column, which is cheaper
 * to read than the terms and contains the complete title unless the title has more than 255 characters.
 */
export const titleColumnSql = (test: (value: string) => string): string =>
  `(${test('d.title')} OR ${isTruncated})`;

/**
 * The maximum number of patterns in a query that use the index of words. With hundreds of them, planning would take
 * seconds.
 */
const maxWordPatterns = 20;

/**
 * Returns a condition that is true for all titles that match a pattern with whole words, and for which PostgreSQL
 * can use the full-text index. Returns undefined if the pattern contains no words, or only stop words.
 */
export function titleWordsSql(pattern: string, compilation: Compilation): string | undefined {
  const words = wordsOfPattern(pattern).map((text) => ({ text, isExcluded: false, isPrefix: false }));
  if (compilation.counts.wordPatterns >= maxWordPatterns) return undefined;
  const query = wordsQuery([words], compilation.fullTexts.analysis);
  if (query === '') return undefined;
  compilation.counts.wordPatterns += 1;
  return `(d.words @@ ${compilation.parameters.add(query, 'tsquery')} OR ${areWordsUnreliable})`;
}
