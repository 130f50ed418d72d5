import { Invalid } from '../errors.ts';
import type { SqlParameters } from './parameters.ts';

// Full text (§4.7): the syntax that users type into a search field, compiled to a tsquery.

/** A word, or several adjacent words in quotes. */
export interface Term {
  readonly text: string;
  readonly isExcluded: boolean;
  /** Whether the last word may have further letters. */
  readonly isPrefix: boolean;
}

const maxTerms = 100; // the database parses them recursively

const termPattern = /(-?)(?:"([^"]*)"?|(\S+))/gu;

function termOf([, minus = '', phrase, word = '']: RegExpMatchArray): Term {
  const isPrefix = phrase === undefined && /[*%]$/.test(word);
  return { text: phrase ?? word.replace(/[*%]+$/, ''), isExcluded: minus !== '', isPrefix };
}

const hasWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/**
 * Parses a full text: a document matches if it matches all terms of one of the lists. `OR` separates lists; a
 * list of excluded terms only is dropped, since it finds nothing. @throws Invalid on too many terms.
 */
export function readWords(text: string): Term[][] {
  const lists: Term[][] = [[]];
  const matches = [...text.matchAll(termPattern)];
  if (matches.length > maxTerms) throw new Invalid(`query: more than ${maxTerms} words to look for`);
  for (const match of matches) {
    const term = termOf(match);
    if (match[0] === 'OR') lists.push([]);
    else if (hasWord(term.text)) lists.at(-1)?.push(term);
  }
  return lists.filter((terms) => terms.some(({ isExcluded }) => !isExcluded));
}

function termSql({ text, isPrefix }: Term, parameters: SqlParameters): string {
  const sql = `phraseto_tsquery('pg_catalog.simple', folded(${parameters.add(text, 'text')}))`;
  if (!isPrefix) return sql;
  return `(CASE WHEN numnode(${sql}) > 0 THEN (${sql}::text || ':*')::tsquery ELSE ''::tsquery END)`;
}

/** Finds nothing if the database considers none of the required terms a word. */
function listSql(terms: readonly Term[], parameters: SqlParameters): string {
  const all = (isExcluded: boolean, empty: string) =>
    terms
      .filter((term) => term.isExcluded === isExcluded)
      .map((term) => (isExcluded ? `!!${termSql(term, parameters)}` : termSql(term, parameters)))
      .join(' && ') || empty;
  const required = all(false, '');
  if (!terms.some(({ isExcluded }) => isExcluded)) return `(${required})`;
  return `(CASE WHEN numnode(${required}) > 0 THEN ${required} && ${all(true, '')} ELSE ''::tsquery END)`;
}

/** A tsquery. The database accepts it whatever the text was. */
export const wordsSql = (lists: ReadonlyArray<readonly Term[]>, parameters: SqlParameters): string =>
  lists.map((terms) => listSql(terms, parameters)).join(' || ') || "''::tsquery";

/** A weaker query, which every document matches that the terms match in one of its properties. */
export const withoutExcluded = (lists: ReadonlyArray<readonly Term[]>): Term[][] =>
  lists.map((terms) => terms.filter(({ isExcluded }) => !isExcluded));
