import { wordsSql } from '../full-text.ts';
import type { Compilation } from '../operand.ts';
import { keptOf } from './kept-values.ts';
import { beginningOf, leastTitle, wordsOfPattern } from './patterns.ts';

/** What holds for documents that have a title: the index of beginnings has these alone. */
const titleIsSet = ({ parameters }: Compilation): string =>
  `d.title <> '' AND ${keptOf('dc:title', 'string', parameters)} IS NOT NULL`;

/** What holds for titles from `least` to `most`. */
export function titlesWithin(
  { least, most }: { least?: string; most?: string },
  compilation: Compilation,
): string {
  const add = (text: string) => compilation.parameters.add(text, 'text');
  const isNotLess = least ? [`d.title ~>=~ ${add(leastTitle(least))}`] : [];
  const isNotMore = most === undefined ? [] : [`d.title ~<=~ ${add(most)}`];
  const isWithin = [titleIsSet(compilation), ...isNotLess, ...isNotMore].join(' AND ');
  return least ? isWithin : `(d.title = '' OR (${isWithin}))`;
}

/** What holds for titles that begin as a pattern does, a pattern of this alone included. */
export function titleBeginsAs(pattern: string, compilation: Compilation): string | undefined {
  const beginning = beginningOf(pattern);
  if (beginning === undefined) return undefined;
  return `${titleIsSet(compilation)} AND d.title LIKE ${compilation.parameters.add(beginning, 'text')}`;
}

const isCut = "d.title LIKE repeat('_', 255) || '%'";

/** Titles whose words may be others than they seem: with what is taken for a tag, and those that are cut. */
const areWordsUnsure = `d.title LIKE '%<%' OR ${isCut}`;

/**
 * What holds for titles that match a condition on texts: the column costs less than the terms, and is the
 * title itself unless that is unset, or is cut.
 */
export const titleMayMatch = (test: (value: string) => string): string => `(${test('d.title')} OR ${isCut})`;

/** Patterns of a query that are looked for by their words: hundreds would take PostgreSQL seconds to plan. */
const mostPatterns = 20;

/**
 * What holds for titles that match a pattern with whole words, by the index of words. A word that the
 * language of the index leaves out finds nothing there, and says nothing.
 */
export function titleHasWordsOf(pattern: string, compilation: Compilation): string | undefined {
  const words = wordsOfPattern(pattern).map((text) => ({ text, isExcluded: false, isPrefix: false }));
  if (words.length === 0 || compilation.counts.wordPatterns >= mostPatterns) return undefined;
  compilation.counts.wordPatterns += 1;
  const query = wordsSql([words], compilation.parameters);
  return `(numnode(${query}) = 0 OR d.words @@ ${query} OR ${areWordsUnsure})`;
}
