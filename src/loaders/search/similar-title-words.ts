import { statement } from '../../db/statement.ts';
import type { Scope } from '../../scope.ts';
import { type SimilarWords, similarWords, typoKeysOfTyped } from '../../words/typos.ts';

/** The maximum number of typed words that are corrected. */
const maxTyped = 8;

/**
 * The maximum number of words that PostgreSQL returns for a typed word. Without a limit, a short word could match very
 * many words.
 */
const maxCandidates = 2_000;

/**
 * The maximum total number of words in each list of `SimilarWords`. It is limited because a query can contain 200
 * words.
 */
const maxSimilar = 60;

/**
 * The maximum number of words in each list for one typed word. PostgreSQL assumes that a word missing from its
 * statistics occurs in a 500th of all documents. With many such words, it would therefore scan all documents instead of
 * using the index.
 */
const maxOfOne = 8;

const candidatesQuery = statement('similar-title-words', { typed: 'text', words: 'text[]' })`
  SELECT t.typed, ARRAY(
    SELECT w.word FROM title_word w WHERE w.typo_keys && string_to_array(t.keys, ' ') LIMIT ${maxCandidates}
  ) AS words
  FROM unnest($1::text[], $2::text[]) AS t (typed, keys)`;

/**
 * Finds words of titles that begin with the typed words, with or without one typo. The words must be used only for
 * searching and never be shown to users, because they can come from titles that the user is not allowed to read.
 * @returns the words by typed word; typed words in which typos are not tolerated are omitted
 */
export const similarTitleWords =
  ({ db }: Scope) =>
  async (typed: readonly string[]): Promise<ReadonlyMap<string, SimilarWords>> => {
    const keysOf = new Map(typed.slice(0, maxTyped).map((word) => [word, typoKeysOfTyped(word).join(' ')]));
    const corrected = [...keysOf].filter(([, keys]) => keys !== '');
    if (corrected.length === 0) return new Map();
    const values = [corrected.map(([word]) => word), corrected.map(([, keys]) => keys)];
    const rows = await db.query(candidatesQuery, values);
    const limit = Math.min(maxOfOne, Math.floor(maxSimilar / corrected.length));
    return new Map(rows.map((row) => [row.typed, similarWords(row.typed, row.words, limit)]));
  };
