import type { Database } from '../../db/database.ts';
import { lockStartUp } from '../../db/start-up-lock.ts';
import { composed, statement } from '../../db/statement.ts';

const languagesQuery = statement('search-languages', { language: 'text' })`
  SELECT left(dictname, -5) AS language FROM pg_ts_dict WHERE dictname LIKE '%\\_stem' ORDER BY dictname`;

/** The dictionary that normalizes words made of letters. */
const dictionaryQuery = statement('search-dictionary', { dictionary: 'name' })`
  SELECT d.dictname AS dictionary FROM pg_ts_config c
  JOIN pg_ts_config_map m ON m.mapcfg = c.oid
  JOIN ts_token_type(c.cfgparser) t ON t.tokid = m.maptokentype
  JOIN pg_ts_dict d ON d.oid = m.mapdict
  WHERE c.cfgname = 'search_words' AND t.alias = 'word' AND pg_ts_config_is_visible(c.oid)`;

/**
 * Configures a dictionary. Its name is part of the text, because DDL takes no parameters; it comes from
 * PostgreSQL.
 */
const mapTo = (dictionary: string) =>
  composed(`ALTER TEXT SEARCH CONFIGURATION search_words
    ALTER MAPPING FOR asciiword, asciihword, hword_asciipart, word, hword, hword_part WITH ${dictionary}`);

/** The languages that PostgreSQL has a stemmer for. */
export async function searchLanguages(db: Pick<Database, 'query'>): Promise<string[]> {
  const found = await db.query(languagesQuery, []);
  return found.map(({ language }) => language);
}

/**
 * Ends a build of the index, because its words are of the former language. The next build starts from the
 * beginning.
 */
const restartBuild = statement('restart-build-of-search-index')`DELETE FROM search_rebuild`;

const indexedQuery = statement('search-index-has-words', {
  isThere: 'bool',
})`SELECT EXISTS (SELECT FROM search_document) AS "isThere"`;

/**
 * Sets the language whose stems and stop words are used for the words of documents and queries.
 * @param language one of `searchLanguages`; undefined takes words as they are.
 * @returns whether the index still has the words of another language and has to be built again.
 */
export function setSearchLanguage(
  database: Pick<Database, 'transaction'>,
  language: string | undefined,
): Promise<boolean> {
  const target = language === undefined ? 'simple' : `${language}_stem`;
  return database.transaction(60, async (client) => {
    await lockStartUp(client);
    const [stored] = await client.query(dictionaryQuery, []);
    if (stored?.dictionary === target) return false;
    await client.query(mapTo(target), []);
    await client.query(restartBuild, []);
    const [indexed] = await client.query(indexedQuery, []);
    return indexed?.isThere === true;
  });
}
