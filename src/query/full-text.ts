import { withoutTrailing } from '../model/trailing.ts';
import type { WordAnalysis } from '../words/atoms.ts';
import { tsqueryOf, type WordScope } from '../words/query.ts';
import type { QueryBudget } from './budget.ts';
import type { SqlParameters } from './parameters.ts';
import { QueryFault } from './query-fault.ts';

// Full text (§4.7): the syntax that users type into a search field is compiled to a PostgreSQL tsquery.

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

/** Parses the full texts of one query, each distinct text once. */
export class FullTexts {
  readonly #budget: QueryBudget;
  readonly analysis: WordAnalysis;
  readonly #read = new Map<string, readonly Term[][]>();

  constructor(budget: QueryBudget, analysis: WordAnalysis) {
    this.#budget = budget;
    this.analysis = analysis;
  }

  /**
   * Parses a full text into lists of terms, which `OR` separates. A document matches if it matches all terms of any list. A
   * list with only excluded terms is dropped, so that it finds nothing. @throws QueryFault for too many words.
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
        this.#budget.spend('words to look for', words);
        if (words > 0) lists.at(-1)?.push(term);
      }
    }
    const finding = lists.filter((terms) => terms.some(({ isExcluded }) => !isExcluded));
    this.#read.set(text, finding);
    return finding;
  }
}

/** The text of a tsquery for lists of terms, of which a document matches any. It is empty if it finds nothing. */
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

/** SQL of such a tsquery. */
export const wordsSql = (
  lists: ReadonlyArray<readonly Term[]>,
  { fullTexts, parameters }: { readonly fullTexts: FullTexts; readonly parameters: SqlParameters },
  scope: WordScope = {},
): string => parameters.add(wordsQuery(lists, fullTexts.analysis, scope), 'tsquery');

const propertyPrefix = 'ecm:fulltext.';
const indexPrefix = 'ecm:fulltext_';
/** The named full-text indexes of the reference implementation, by the property that they contain. */
const namedIndexes = new Map([['title', 'dc:title']]);

/**
 * The property to which `ecm:fulltext.PROPERTY` or `ecm:fulltext_INDEX` restricts a search.
 * @throws QueryFault for an unknown index.
 */
export function fullTextProperty(name: string): string | undefined {
  if (name.startsWith(propertyPrefix)) return name.slice(propertyPrefix.length);
  if (!name.startsWith(indexPrefix)) return undefined;
  const index = name.slice(indexPrefix.length);
  const property = namedIndexes.get(index);
  if (property !== undefined) return property;
  throw new QueryFault(
    `${name}: there is no full-text index ${index}; ecm:fulltext searches all words, ${propertyPrefix}PROPERTY those of one property`,
  );
}
