/** @group slow */
import { execFileSync } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { freePort } from '../../../src/embedded/free-port.ts';
import { fold } from '../../../src/words/fold.ts';
import { startBeside } from '../../support/beside.ts';
import { emptyDatabase } from '../../support/database.ts';
import {
  debianCluster,
  isDebianPostgresInstalled,
  titleOnDebianPostgres,
} from '../../support/debian-postgres.ts';
import { newFolder } from '../../support/folder.ts';
import { query } from '../../support/query.ts';
import {
  documentsInScripts,
  isUnspaced,
  numbersFrom,
  scripts,
  wordsOf,
  writings,
} from '../../support/texts-in-scripts.ts';
import { until } from '../../support/until.ts';
import { list } from './search-requests.ts';

jest.setTimeout(300_000);

const documents = documentsInScripts(5_000);

const installed = execFileSync('locale', ['-a']).toString().toLowerCase();
const locales = ['C', 'C.UTF-8', 'en_US.UTF-8'].filter((locale) =>
  installed.includes(locale.toLowerCase().replace('utf-8', 'utf8')),
);

/** Inserts the documents with the ids that PostgreSQL derives from their names. The index finds them by its trigger. */
const insert = `INSERT INTO document (repository, id, parent_id, ancestor_ids, name, path, type, facets, title, acl_id, properties)
  SELECT r.repository, md5(d.name)::uuid, r.id, ARRAY[r.id], d.name, '/' || d.name, 'File', '{}', left(d.title, 255),
    r.acl_id, jsonb_build_object('dc:title', d.title, 'dc:description', d.description)
  FROM jsonb_to_recordset($json$${JSON.stringify(documents)}$json$) AS d (name text, title text, description text)
  CROSS JOIN document r WHERE r.path = '/'`;

type Served = Awaited<ReturnType<typeof startBeside>>;

/** A search, and the words that its highlights have to mark, folded. */
interface Search {
  readonly condition: string;
  readonly marked: (folded: string) => boolean;
  /** The documents that a search for a single word has to find. */
  readonly names?: readonly string[];
}

const fullText = (text: string): string => `ecm:fulltext = '${text}'`;

/** The names of the documents that contain a word of a script with spaces. */
const namesWith = (word: string): string[] =>
  documents.filter(({ words }) => words.some((one) => fold(one) === fold(word))).map(({ name }) => name);

/** Returns fifteen searches for words of a script. */
function searchesIn(script: (typeof scripts)[number]): Search[] {
  const next = numbersFrom(scripts.indexOf(script) + 1_000);
  const words = wordsOf(script);
  const word = (): string => words[next(words.length)] ?? '';
  // In scripts without spaces, each character is marked separately, and longer words contain the word as well.
  const isAny = isUnspaced(script);
  const oneOf = (...sought: readonly string[]) => {
    const all = sought.map(fold);
    return (folded: string) => isAny || all.includes(folded);
  };
  const single = (write: (word: string) => string): Search => {
    const sought = word();
    const search = { condition: fullText(write(sought)), marked: oneOf(sought) };
    return isAny ? search : { ...search, names: namesWith(sought) };
  };
  const prefix = (): Search => {
    const start = Array.from(word()).slice(0, 3).join('');
    return { condition: fullText(`${start}*`), marked: (folded) => isAny || folded.startsWith(fold(start)) };
  };
  const phrase = (): Search => {
    const place = scripts.indexOf(script) + scripts.length * next(200);
    const [first = '', second = ''] = documents[place]?.words ?? [];
    return {
      condition: fullText(`"${first} ${second}"`),
      marked: (folded) => isAny || [first, second].some((one) => fold(one).includes(folded)),
    };
  };
  const [included, excluded, one, other, described] = [word(), word(), word(), word(), word()];
  return [
    ...writings.flatMap((write) => [single(write), single(write)]),
    prefix(),
    prefix(),
    phrase(),
    phrase(),
    { condition: fullText(`${included} -${excluded}`), marked: oneOf(included) },
    { condition: fullText(`${one} OR ${other}`), marked: oneOf(one, other) },
    { condition: `ecm:fulltext.dc:description = '${described}'`, marked: oneOf(described) },
  ];
}

const searches = scripts.flatMap(searchesIn);

interface Hit {
  readonly name: string;
  readonly highlights: ReadonlyArray<{ readonly field: string; readonly segments: readonly string[] }>;
}

async function hitsOf({ request }: Served, { condition }: Search): Promise<Hit[]> {
  const queryParams = `SELECT * FROM File WHERE ${condition}`;
  const { body } = await list(
    request,
    'nxql_search',
    { queryParams, pageSize: 1_000, highlight: 'dc:title,dc:description' },
    { 'enrichers.document': 'highlight' },
  ).expect(200);
  expect(body.resultsCount).toBe(body.entries.length);
  return body.entries.map(
    ({ name, contextParameters }: { name: string; contextParameters: { highlight: Hit['highlights'] } }) => ({
      name,
      highlights: contextParameters.highlight,
    }),
  );
}

/** Starts the application on a database, and waits until all documents are indexed. */
async function serveOn(url: string): Promise<Served> {
  const served = await startBeside({ url, dataDir: newFolder() });
  await query(url, insert);
  await until(async () => {
    const { headers } = await served.request.get('/api/v1/search/execute').query({ pageSize: 1 });
    return headers['x-search-delay'] === undefined;
  }, 120_000);
  return served;
}

const title = 'finds and highlights the same on every database and in every locale';

(isDebianPostgresInstalled ? describe : describe.skip)(
  titleOnDebianPostgres(`§4.7 full text ${title}`),
  () => {
    const ends: Array<() => Promise<unknown>> = [];
    afterAll(async () => {
      for (const end of ends.toReversed()) await end();
    });

    /** The hits of each search on the embedded database. */
    let expected: Hit[][] = [];

    const answersOn = async (url: string): Promise<Hit[][]> => {
      const served = await serveOn(url);
      const hits: Hit[][] = [];
      for (const search of searches) hits.push(await hitsOf(served, search));
      await served.close();
      return hits;
    };

    let server: string;
    beforeAll(async () => {
      const embedded = await emptyDatabase();
      ends.push(async () => embedded[Symbol.asyncDispose]());
      expected = await answersOn(embedded.url);
      const running = await debianCluster(newFolder()).engine.start(await freePort());
      ends.push(() => running.stop());
      server = running.url;
    });

    test('of 300 searches, each word finds the documents that contain it, and nothing else is marked', () => {
      expect(searches).toHaveLength(300);
      for (const [nth, { condition, names, marked }] of searches.entries()) {
        const hits = expected[nth] ?? [];
        if (names)
          expect({ condition, names: hits.map(({ name }) => name).sort() }).toEqual({ condition, names });
        for (const { name, highlights } of hits) {
          const marks = highlights
            .flatMap(({ segments }) => segments)
            .flatMap((segment) =>
              Array.from(segment.matchAll(/<em>(.*?)<\/em>/gsu), ([, text = '']) => text),
            );
          expect({ condition, name, marks: marks.length > 0 }).toEqual({ condition, name, marks: true });
          expect({ condition, name, wrong: marks.filter((mark) => !marked(fold(mark))) }).toEqual({
            condition,
            name,
            wrong: [],
          });
        }
      }
      expect(expected.filter((hits) => hits.length > 0).length).toBeGreaterThan(250);
    });

    test('there are locales to compare', () => {
      expect(locales).toEqual(expect.arrayContaining(['C', 'C.UTF-8']));
    });

    test.each(locales)('%s', async (locale) => {
      const name = `l${locales.indexOf(locale)}`;
      await query(
        server,
        `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE '${locale}' LC_CTYPE '${locale}'`,
      );
      const url = new URL(server);
      url.pathname = `/${name}`;
      const found = await answersOn(url.href);
      const differing = searches.flatMap(({ condition }, nth) => {
        const [here, there] = [found[nth] ?? [], expected[nth] ?? []];
        if (isDeepStrictEqual(here, there)) return [];
        const names = [here, there].map((hits) => hits.map(({ name }) => name));
        return [{ condition, names }];
      });
      expect(differing).toEqual([]);
    });
  },
);
