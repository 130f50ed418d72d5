import { Invalid } from '../errors.ts';
import type { Parameters } from './parameters.ts';

// Full text (§4.7): what people type into a search field, and what it looks for.

/** Words that stand next to each other; most often one. */
export interface Term {
  readonly text: string;
  /** Whether it is without, rather than with them. */
  readonly isExcluded: boolean;
  /** Whether the last word may go on. */
  readonly isPrefix: boolean;
}

/** More terms than this nobody types, and the database reads them one inside the other. */
const mostTerms = 100;

const termPattern = /(-?)(?:"([^"]*)"?|(\S+))/gu;

function termOf([, minus = '', phrase, word = '']: RegExpMatchArray): Term {
  const isPrefix = phrase === undefined && /[*%]$/.test(word);
  return { text: phrase ?? word.replace(/[*%]+$/, ''), isExcluded: minus !== '', isPrefix };
}

const hasWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/**
 * Reads a text to look for: all terms of one of the lists. `OR` stands between lists; one of which only tells what not
 * to find finds nothing, and is left out. @throws Invalid when there are too many terms.
 */
export function readWords(text: string): Term[][] {
  const lists: Term[][] = [[]];
  const matches = [...text.matchAll(termPattern)];
  if (matches.length > mostTerms) throw new Invalid(`query: more than ${mostTerms} words to look for`);
  for (const match of matches) {
    const term = termOf(match);
    if (match[0] === 'OR') lists.push([]);
    else if (hasWord(term.text)) lists.at(-1)?.push(term);
  }
  return lists.filter((terms) => terms.some(({ isExcluded }) => !isExcluded));
}

/** A term as a tsquery. */
function termSql({ text, isPrefix }: Term, parameters: Parameters): string {
  const sql = `phraseto_tsquery('pg_catalog.simple', folded(${parameters.add(text, 'text')}))`;
  if (!isPrefix) return sql;
  return `(CASE WHEN numnode(${sql}) > 0 THEN (${sql}::text || ':*')::tsquery ELSE ''::tsquery END)`;
}

/** All terms of a list; nothing at all when none of those with which to find is a word to the database. */
function listSql(terms: readonly Term[], parameters: Parameters): string {
  const all = (isExcluded: boolean, empty: string) =>
    terms
      .filter((term) => term.isExcluded === isExcluded)
      .map((term) => (isExcluded ? `!!${termSql(term, parameters)}` : termSql(term, parameters)))
      .join(' && ') || empty;
  const found = all(false, '');
  if (!terms.some(({ isExcluded }) => isExcluded)) return `(${found})`;
  return `(CASE WHEN numnode(${found}) > 0 THEN ${found} && ${all(true, '')} ELSE ''::tsquery END)`;
}

/** The tsquery of a text that was read; no text makes one that the database would not take. */
export const wordsSql = (lists: ReadonlyArray<readonly Term[]>, parameters: Parameters): string =>
  lists.map((terms) => listSql(terms, parameters)).join(' || ') || "''::tsquery";

/** What every document has in which a text is found: the same without what is excluded. */
export const withoutExcluded = (lists: ReadonlyArray<readonly Term[]>): Term[][] =>
  lists.map((terms) => terms.filter(({ isExcluded }) => !isExcluded));
