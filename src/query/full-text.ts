import { withoutTrailing } from '../model/trailing.ts';
import type { QueryBudget } from './budget.ts';
import { requireNoNul, type SqlParameters } from './parameters.ts';
import { QueryFault } from './query-fault.ts';

// Full text (§4.7): the syntax that users type into a search field, compiled to a tsquery.

/** A word, or several adjacent words in quotes. */
export interface Term {
  readonly text: string;
  readonly isExcluded: boolean;
  /** Whether the last word may have further letters. */
  readonly isPrefix: boolean;
}

const termPattern = /(-?)(?:"([^"]*)"?|(\S+))/gu;

function termOf([, minus = '', phrase, word = '']: RegExpMatchArray): Term {
  const text = phrase ?? withoutTrailing(word, '*%');
  return { text, isExcluded: minus !== '', isPrefix: phrase === undefined && text.length < word.length };
}

const wordPattern = /[\p{L}\p{N}]+/gu;

export class FullTexts {
  readonly #budget: QueryBudget;
  readonly #read = new Map<string, readonly Term[][]>();

  constructor(budget: QueryBudget) {
    this.#budget = budget;
  }

  /**
   * Parses a full text: a document matches if it matches all terms of one of the lists. `OR` separates lists;
   * a list of excluded terms only is dropped, since it finds nothing. @throws Invalid on too many words.
   */
  read(text: string): readonly Term[][] {
    const known = this.#read.get(text);
    if (known) return known;
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

/** A tsquery. The database accepts it whatever the text was. */
export function wordsSql(lists: ReadonlyArray<readonly Term[]>, parameters: SqlParameters): string {
  for (const { text } of lists.flat()) requireNoNul(text);
  return `words_query(${parameters.add(JSON.stringify(lists), 'jsonb')})`;
}

/** A weaker query, which every document matches that the terms match in one of its properties. */
export const withoutExcluded = (lists: ReadonlyArray<readonly Term[]>): Term[][] =>
  lists.map((terms) => terms.filter(({ isExcluded }) => !isExcluded));

const propertyPrefix = 'ecm:fulltext.';
const indexPrefix = 'ecm:fulltext_';
/** What a stock server of the reference implementation has besides the index of all words. */
const namedIndexes = new Map([['title', 'dc:title']]);

/** The property whose words alone an `ecm:` name stands for. @throws QueryFault on an unknown index. */
export function fullTextProperty(name: string): string | undefined {
  if (name.startsWith(propertyPrefix)) return name.slice(propertyPrefix.length);
  if (!name.startsWith(indexPrefix)) return undefined;
  const index = name.slice(indexPrefix.length);
  const property = namedIndexes.get(index);
  if (property !== undefined) return property;
  throw new QueryFault(
    `${name}: there is no index ${index} of words; ecm:fulltext has all words, ${propertyPrefix}PROPERTY those of one`,
  );
}
