import { withoutTrailing } from '../model/trailing.ts';
import type { WordAnalysis } from '../words/atoms.ts';
import { tsqueryOf, type WordScope } from '../words/query.ts';
import type { QueryBudget } from './budget.ts';
import type { SqlParameters } from './parameters.ts';
import { QueryFault } from './query-fault.ts';

// Full-text search (§4.7): compiles the syntax that users type in a search field to a PostgreSQL tsquery.

/** The maximum number of words that the rank of a document depends on. */
const maxRankedWords = 8;

/** A word, or a quoted phrase of adjacent words. */
export interface Term {
  readonly text: string;
  readonly isExcluded: boolean;
  /** Whether the last word matches all words that begin with it. */
  readonly isPrefix: boolean;
}

const termPattern = /(-?)(?:"([^"]*)"?|(\S+))/gu;

function termOf([, minus = '', phrase, word = '']: RegExpMatchArray): Term {
  const text = phrase ?? withoutTrailing(word, '*%');
  return { text, isExcluded: minus !== '', isPrefix: phrase === undefined && text.length < word.length };
}

/** Parses the full-text expressions of one query. Equal expressions are parsed only once. */
export class FullTexts {
  readonly #budget: QueryBudget;
  readonly analysis: WordAnalysis;
  readonly #read = new Map<string, readonly Term[][]>();

  constructor(budget: QueryBudget, analysis: WordAnalysis) {
    this.#budget = budget;
    this.analysis = analysis;
  }

  /**
   * Parses a full-text expression into lists of terms; in the expression, the lists are separated by `OR`. A document
   * matches if it matches all terms of at least one list. A list that contains only excluded terms finds nothing and is
   * dropped.
   * @throws QueryFault if there are too many words
   */
  read(text: string): readonly Term[][] {
    const cached = this.#read.get(text);
    if (cached) return cached;
    const lists: Term[][] = [[]];
    for (const match of text.matchAll(termPattern)) {
      const term = termOf(match);
      if (match[0] === 'OR') lists.push([]);
      else {
        let words = 0;
        for (const _ of this.analysis.atomsOf(term.text)) words += 1;
        this.#budget.spend('words to search for', words);
        if (words > 0) lists.at(-1)?.push(term);
      }
    }
    const finding = lists.filter((terms) => terms.some(({ isExcluded }) => !isExcluded));
    this.#read.set(text, finding);
    return finding;
  }
}

/**
 * Returns the text of a tsquery that finds the documents that match at least one of the lists of terms. It is empty if
 * no document can match.
 */
export function wordsQuery(
  lists: ReadonlyArray<readonly Term[]>,
  analysis: WordAnalysis,
  scope: WordScope = {},
): string {
  const queries = lists.flatMap((terms) => {
    const conditions = terms.flatMap((term) => {
      const query = tsqueryOf(analysis, term.text, { ...scope, isPrefix: term.isPrefix });
      return query === '' ? [] : [{ isExcluded: term.isExcluded, query }];
    });
    if (conditions.every(({ isExcluded }) => isExcluded)) return [];
    return [conditions.map(({ isExcluded, query }) => (isExcluded ? `!(${query})` : query)).join(' & ')];
  });
  return queries.map((query) => `(${query})`).join(' | ');
}

/** Returns the SQL expression for the tsquery of lists of terms. */
export const wordsSql = (
  lists: ReadonlyArray<readonly Term[]>,
  { fullTexts, parameters }: { readonly fullTexts: FullTexts; readonly parameters: SqlParameters },
  scope: WordScope = {},
): string => parameters.add(wordsQuery(lists, fullTexts.analysis, scope), 'tsquery');

/**
 * Returns the first words in the lists of terms, which determine the rank of a document. Only a few words are returned,
 * because the running time of `ts_rank_cd` grows faster than the number of words: with 150 words and a text of 50,000
 * characters, it takes two seconds.
 */
export function rankedTerms(
  lists: ReadonlyArray<readonly Term[]>,
  analysis: WordAnalysis,
): ReadonlyArray<readonly Term[]> {
  let left = maxRankedWords;
  const firstOf = (term: Term): readonly Term[] => {
    if (term.isExcluded || left === 0) return [];
    const atoms = [...analysis.atomsOf(term.text)];
    const last = atoms[left - 1];
    const isWhole = atoms.length <= left;
    left -= Math.min(atoms.length, left);
    return [isWhole ? term : { ...term, text: term.text.slice(0, last?.end), isPrefix: false }];
  };
  return lists.map((terms) => terms.flatMap(firstOf)).filter((terms) => terms.length > 0);
}

/** A full-text condition of a query. */
export interface WordQuery {
  readonly lists: ReadonlyArray<readonly Term[]>;
  readonly scope: WordScope;
  /** Whether the condition is within a NOT. */
  readonly isNegated: boolean;
}

const propertyPrefix = 'ecm:fulltext.';
const indexPrefix = 'ecm:fulltext_';
/** The reference implementation's named full-text indexes, each with the property that it indexes. */
const namedIndexes = new Map([['title', 'dc:title']]);

/**
 * Returns the property to which `ecm:fulltext.PROPERTY` or `ecm:fulltext_INDEX` restricts a search.
 * @throws QueryFault if the index is unknown
 */
export function fullTextProperty(name: string): string | undefined {
  if (name.startsWith(propertyPrefix)) return name.slice(propertyPrefix.length);
  if (!name.startsWith(indexPrefix)) return undefined;
  const index = name.slice(indexPrefix.length);
  const property = namedIndexes.get(index);
  if (property !== undefined) return property;
  throw new QueryFault(
    `${name}: there is no full-text index ${index}; use ecm:fulltext to search all words, or ${propertyPrefix}PROPERTY to search one property`,
  );
}

export const isFullText = (property: string): boolean =>
  property === 'ecm:fulltext' || fullTextProperty(property) !== undefined;
