import type { Database } from '../../db/database.ts';
import { lockStartUp } from '../../db/start-up-lock.ts';
import { composed, statement } from '../../db/statement.ts';

const languagesQuery = statement('search-languages', { language: 'text' })`
  SELECT left(dictname, -5) AS language FROM pg_ts_dict WHERE dictname LIKE '%\\_stem' ORDER BY dictname`;

/** The dictionary that makes words of letters. */
const dictionaryQuery = statement('search-dictionary', { dictionary: 'name' })`
  SELECT d.dictname AS dictionary FROM pg_ts_config c
  JOIN pg_ts_config_map m ON m.mapcfg = c.oid
  JOIN ts_token_type(c.cfgparser) t ON t.tokid = m.maptokentype
  JOIN pg_ts_dict d ON d.oid = m.mapdict
  WHERE c.cfgname = 'search_words' AND t.alias = 'word' AND pg_ts_config_is_visible(c.oid)`;

/** The name comes from PostgreSQL itself: a statement of this kind takes no parameters. */
const mapTo = (dictionary: string) =>
  composed(`ALTER TEXT SEARCH CONFIGURATION search_words
    ALTER MAPPING FOR asciiword, asciihword, hword_asciipart, word, hword, hword_part WITH ${dictionary}`);

/** The languages whose words PostgreSQL can reduce to their stems. */
export async function searchLanguages(db: Pick<Database, 'query'>): Promise<string[]> {
  const found = await db.query(languagesQuery, []);
  return found.map(({ language }) => language);
}

/** An index that is being built begins anew: its words are of the other language. */
const restartBuild = statement('restart-build-of-search-index')`DELETE FROM search_rebuild`;

const indexedQuery = statement('search-index-has-words', {
  isThere: 'bool',
})`SELECT EXISTS (SELECT FROM search_document) AS "isThere"`;

/**
 * Has the words of documents and queries made in a language: by their stems, without its stop words.
 * @param language one of `searchLanguages`; words as they are when undefined.
 * @returns whether the index still has the words of another one.
 */
export function setSearchLanguage(
  database: Pick<Database, 'transaction'>,
  language: string | undefined,
): Promise<boolean> {
  const wanted = language === undefined ? 'simple' : `${language}_stem`;
  return database.transaction(60, async (client) => {
    await lockStartUp(client);
    const [kept] = await client.query(dictionaryQuery, []);
    if (kept?.dictionary === wanted) return false;
    await client.query(mapTo(wanted), []);
    await client.query(restartBuild, []);
    const [indexed] = await client.query(indexedQuery, []);
    return indexed?.isThere === true;
  });
}
