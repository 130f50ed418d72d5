import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pMap from 'p-map';
import { serverSettings } from '../src/embedded/postgresql.ts';
import { typoKeysOf } from '../src/words/typos.ts';
import { atEnd, toTheEnd } from './closing.ts';
import { authorization, startOurs } from './ours.ts';
import { execute, keptDatabase, programsVersion, startCluster } from './postgres.ts';

/**
 * Measures suggestions for the documents that `bench/scale.ts --keep FOLDER --documents N --lay-only` has inserted,
 * with `--words 3000000` distinct words in titles. Four clients send requests as an administrator, and as a user who
 * can read half of the documents.
 */

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '1000000' },
    keep: { type: 'string', default: 'scale' },
    words: { type: 'string', default: '3000000' },
    requests: { type: 'string', default: '400' },
  },
});
const [documents, words, requests] = [values.documents, values.words, values.requests].map(Number) as [
  number,
  number,
  number,
];

const clients = 4;
const batch = 10_000;

const syllables = Array.from('bdfgklmnprstvwz').flatMap((one) => Array.from('aeiou', (other) => one + other));

/**
 * Returns the nth word, with two to five syllables. All words are different, and each has hundreds of similar words.
 */
function wordOf(nth: number): string {
  let word = '';
  for (let rest = nth + syllables.length; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length];
  return word;
}

const mistyped = (word: string, nth: number): string => {
  const at = nth % (word.length - 1);
  return `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`;
};

async function addWords(databaseUrl: string): Promise<void> {
  const [known] = (await execute(databaseUrl, 'SELECT count(*)::int AS count FROM title_word')) as [
    { count: number },
  ];
  if (known.count >= words) return;
  const start = performance.now();
  const batches = Array.from({ length: Math.ceil(words / batch) }, (_, nth) => nth * batch);
  await pMap(
    batches,
    async (from) => {
      const rows = Array.from({ length: batch }, (_, nth) => wordOf(((from + nth) * 7919) % words));
      const list = [...new Set(rows)].map((word) => `('${word}', '{${typoKeysOf(word).join()}}'::text[])`);
      await execute(
        databaseUrl,
        `INSERT INTO title_word (word, typo_keys) VALUES ${list.join()} ON CONFLICT DO NOTHING`,
      );
    },
    { concurrency: 2 },
  );
  await execute(databaseUrl, 'VACUUM ANALYZE title_word');
  const [size] = (await execute(
    databaseUrl,
    `SELECT pg_total_relation_size('title_word') AS bytes, count(*) FROM title_word`,
  )) as [{ bytes: string; count: string }];
  const seconds = (performance.now() - start) / 1_000;
  console.log(`${size.count} words, ${size.bytes} bytes, added in ${seconds.toFixed(0)} s`);
}

const terms: Readonly<Record<string, (nth: number) => string>> = {
  'a common beginning': (nth) => `w${10 + (nth % 90)}`,
  'a rare word': (nth) => `w${20_000 + ((nth * 7919) % 30_000)}`,
  'two words': (nth) => `w${20 + (nth % 50)} w${300 + (nth % 700)}`,
  'four letters with a typo': (nth) => mistyped(wordOf((nth * 7919) % words).slice(0, 4), nth),
  'a word with a typo': (nth) => mistyped(wordOf((nth * 7919) % words), nth),
  'a document and a typo': (nth) => `w${1 + (nth % 50)} ${mistyped(wordOf((nth * 7919) % words), nth)}`,
};

async function measure(base: string, caller: string, headers: Record<string, string>): Promise<void> {
  for (const [name, term] of Object.entries(terms)) {
    const times: number[] = [];
    let found = 0;
    await pMap(
      Array.from({ length: requests }, (_, nth) => nth),
      async (nth) => {
        const start = performance.now();
        const answer = await fetch(`${base}/automation/Search.SuggestersLauncher`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({ params: { searchTerm: term(nth) } }),
        });
        if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
        found += ((await answer.json()) as unknown[]).length;
        times.push(performance.now() - start);
      },
      { concurrency: clients },
    );
    const sorted = times.slice(requests / 10).sort((one, other) => one - other);
    const figures = [0.5, 0.95].map((part) => sorted[Math.floor(sorted.length * part)]?.toFixed(1));
    console.log(`| ${name} | ${caller} | ${figures.join(' | ')} | ${(found / requests).toFixed(1)} |`);
  }
}

async function main(): Promise<void> {
  const settings = serverSettings(await programsVersion());
  const { url } = await startCluster({ keptIn: resolve(values.keep), settings });
  const databaseUrl = await keptDatabase(url, `scale_${documents}`, () => {
    throw new Error('bench/scale.ts has to insert the documents first');
  });
  await addWords(databaseUrl);
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const base = `${(await startOurs({ DATABASE_URL: databaseUrl, DATA_DIR: folder })).url}/api/v1`;
  const properties = { username: 'half', password: 'half', groups: ['members'] };
  await fetch(`${base}/user`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ 'entity-type': 'user', properties }),
  });
  console.log('| term | caller | p50, ms | p95, ms | suggestions |\n| --- | --- | ---: | ---: | ---: |');
  await measure(base, 'administrator', { authorization });
  await measure(base, 'half', { authorization: `Basic ${btoa('half:half')}` });
}

await toTheEnd(main);
