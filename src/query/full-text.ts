import { withoutTrailing } from '../model/trailing.ts';
import type { QueryBudget } from './budget.ts';
import { requireNoNul, type SqlParameters } from './parameters.ts';
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

const wordPattern = /[\p{L}\p{N}]+/gu;

/** Parses the full texts of one query, each distinct text once. */
export class FullTexts {
  readonly #budget: QueryBudget;
  readonly #read = new Map<string, readonly Term[][]>();

  constructor(budget: QueryBudget) {
    this.#budget = budget;
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
        const words = term.text.match(wordPattern)?.length ?? 0;
        this.#budget.spend('words to look for', words);
        if (words > 0) lists.at(-1)?.push(term);
      }
    }
    const finding = lists.filter((terms) => terms.some(({ isExcluded }) => !isExcluded));
    this.#read.set(text, finding);
    return finding;
  }
}

/** SQL of a tsquery. The function `words_query` quotes the words, so any text results in a valid tsquery. */
export function wordsSql(lists: ReadonlyArray<readonly Term[]>, parameters: SqlParameters): string {
  for (const { text } of lists.flat()) requireNoNul(text);
  return `words_query(${parameters.add(JSON.stringify(lists), 'jsonb')})`;
}

/**
 * Drops excluded terms. A document whose property matches the terms always matches the result as a whole, which is not
 * true with excluded terms: these may occur in other properties.
 */
export const withoutExcluded = (lists: ReadonlyArray<readonly Term[]>): Term[][] =>
  lists.map((terms) => terms.filter(({ isExcluded }) => !isExcluded));

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
