import type { Database } from '../../db/database.ts';
import type { ConnectionApart } from '../../db/driver.ts';
import { statement } from '../../db/statement.ts';
import { propertyPrefix } from '../../words/lexemes.ts';
import { typoKeysOf } from '../../words/typos.ts';
import { lockSearchIndex } from '../row-locks/advisory-locks.ts';

// Words that the table already contains are filtered out first: nearly all words are in the table, and a conflict would
// cost a write. The rows are sorted by word, so that two transactions cannot deadlock.
const addQuery = statement('add-title-words')`
  INSERT INTO title_word (word, typo_keys)
  SELECT t.word, string_to_array(t.keys, ' ') FROM unnest($1::text[], $2::text[]) AS t (word, keys)
  WHERE NOT EXISTS (SELECT FROM title_word w WHERE w.word = t.word)
  ORDER BY t.word
  ON CONFLICT (word) DO NOTHING`;

/**
 * Adds the words of titles to the table that is used to correct typos in suggestions. This must be the last statement
 * of a transaction, because other transactions that add the same new words wait until it ends.
 */
export async function addTitleWords(
  { query }: Pick<Database, 'query'> | Pick<ConnectionApart, 'query'>,
  words: readonly string[],
): Promise<void> {
  if (words.length === 0) return;
  const keys = words.map((word) => typoKeysOf(word).join(' '));
  await query(addQuery, [words, keys]);
}

/** The number of words that one transaction examines. It is limited because indexing waits for the transaction. */
const wordsOfBatch = 100;

/** The number of days after which the sweep checks again whether any title contains a word. */
const daysBetweenChecks = 30;

// `seen` selects the words that have not been checked for a while, `checked` searches the index for them, `deleted`
// deletes unused words, and `renewed` sets the time of the check for the others. Words consist of letters, so they need
// no escaping in a tsquery. Nothing is deleted while the index is being rebuilt, because the old index may lack words
// of the new one.
const sweepQuery = statement('delete-unused-title-words', { seen: 'int4', deleted: 'int4' })`
  WITH seen AS MATERIALIZED (
    SELECT word FROM title_word WHERE checked_at < now() - make_interval(days => $1::int)
      AND NOT EXISTS (SELECT FROM search_rebuild)
    ORDER BY checked_at LIMIT ${wordsOfBatch}
  ), checked AS MATERIALIZED (
    SELECT word, EXISTS (
      SELECT FROM search_document d WHERE d.words @@ ('''' || $2::text || word || '''')::tsquery
    ) AS "isUsed" FROM seen
  ), deleted AS (
    DELETE FROM title_word t USING checked c WHERE t.word = c.word AND NOT c."isUsed" RETURNING t.word
  ), renewed AS (
    UPDATE title_word t SET checked_at = now() FROM checked c WHERE t.word = c.word AND c."isUsed"
  )
  SELECT (SELECT count(*)::int FROM seen) AS seen, (SELECT count(*)::int FROM deleted) AS deleted`;

/**
 * Deletes the words that no title contains any more. Each transaction locks the index, so that it does not delete a
 * word that a document is adding again at the same time.
 * @param isStopping stops the deletion between two transactions
 * @returns the number of deleted words
 */
export async function deleteUnusedTitleWords(
  { transaction }: Pick<Database, 'transaction'>,
  isStopping: () => boolean,
  days: number = daysBetweenChecks,
): Promise<number> {
  let total = 0;
  while (!isStopping()) {
    const [batch] = await transaction(60, async (client) => {
      await lockSearchIndex(client);
      return client.query(sweepQuery, [days, propertyPrefix('dc:title')]);
    });
    total += batch?.deleted ?? 0;
    if (!batch || batch.seen < wordsOfBatch) break;
  }
  return total;
}
