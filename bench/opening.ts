import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chromium, type Page } from 'playwright-core';
import { serverSettings } from '../src/embedded/postgresql.ts';
import { atEnd, toTheEnd } from './closing.ts';
import { startOurs } from './ours.ts';
import { execute, keptDatabase, programsVersion, startCluster } from './postgres.ts';
import { folderOf, seedScale } from './seed-scale.ts';
import { median } from './table.ts';

/**
 * Measures how long the screens of the console take to open among many documents, and in a folder with many children:
 * `npx tsx bench/opening.ts --keep FOLDER --documents 1000000 --children 200000`. The database stays in FOLDER, so
 * that later runs need not create it again.
 */

const { values } = parseArgs({
  options: {
    keep: { type: 'string', default: 'opening-database' },
    documents: { type: 'string', default: '1000000' },
    children: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '5' },
    chromium: { type: 'string', default: process.env.CHROMIUM ?? '/usr/bin/chromium' },
  },
});

const [documents, children, rounds] = [values.documents, values.children, values.rounds].map(Number) as [
  number,
  number,
  number,
];

/** The maximum time until a screen is complete, in milliseconds. */
const goal = 1_000;

const flatId = '00000009-0000-7000-8000-000000000000';

/** Inserts a folder with many children, before the documents of `seedScale` and the index. */
const childrenSql = `SET session_replication_role = replica;
  INSERT INTO document (repository, id, parent_id, ancestor_ids, name, path, type, title, acl_id, properties, facets)
  SELECT 'default', '${flatId}', r.id, ARRAY[r.id], 'flat', '/flat', 'Folder', 'Flat', r.acl_id,
    jsonb_build_object('dc:title', 'Flat'), '{}'
  FROM document r WHERE r.path = '/' AND r.repository = 'default';
  INSERT INTO document (repository, id, parent_id, ancestor_ids, name, path, type, title, acl_id, properties, facets)
  SELECT 'default', ('0000000a-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, '${flatId}',
    ARRAY[r.id, '${flatId}'::uuid], 'child-' || n, '/flat/child-' || n, 'File', 'Child ' || n, r.acl_id,
    jsonb_build_object('dc:title', 'Child ' || n, 'dc:modified',
      to_char(timestamp '2020-01-01' + n * interval '950 s', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"'), 'dc:creator', 'Administrator'), '{}'
  FROM document r, generate_series(1, ${children}) n WHERE r.path = '/' AND r.repository = 'default'`;

async function lay(databaseUrl: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const ours = await startOurs({ DATABASE_URL: databaseUrl, DATA_DIR: folder });
  await execute(databaseUrl, childrenSql);
  const seconds = await seedScale(databaseUrl, documents);
  await ours.stop();
  console.log(`inserted in ${seconds.rows.toFixed(0)} s, the index built in ${seconds.index.toFixed(0)} s`);
}

const some = (nth: number): number => (nth * 7919 + 13) % documents;

/** The id of a document without a file, because the files of the other documents do not exist. */
const childId = (nth: number): string => {
  const number = 1 + ((nth * 7919 + 13) % children);
  return `0000000a-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;
};

/** The addresses of the screens. Each round opens other documents and searches for other words. */
const screens: Readonly<Record<string, (nth: number) => string>> = {
  'a folder': (nth) => `/browse${folderOf(some(nth))}`,
  [`a folder of ${children} children`]: () => '/browse/flat',
  [`a folder of ${children} children, newest first`]: () => '/browse/flat?sort=dc:modified&order=descending',
  'a document': (nth) => `/document/${childId(nth)}`,
  versions: (nth) => `/document/${childId(nth)}/versions`,
  activity: (nth) => `/document/${childId(nth)}/activity`,
  access: (nth) => `/document/${childId(nth)}/permissions`,
  workflows: (nth) => `/document/${childId(nth)}/workflows`,
  edit: (nth) => `/document/${childId(nth)}/edit`,
  'search without words': () => '/search',
  'search for a common word': (nth) => `/search?words=w${nth + 1}`,
  'search for a rare word': (nth) => `/search?words=w${20_000 + nth}`,
  'search in the large folder': (nth) => `/search?words=child${nth === 0 ? '' : `+${nth}`}&ecm_path=%2Fflat`,
  tasks: () => '/tasks',
  favorites: () => '/favorites',
  collections: () => '/collections',
  trash: () => '/trash',
  account: () => '/account',
  ...Object.fromEntries(
    [
      'users',
      'groups',
      'shares',
      'vocabularies',
      'model',
      'jobs',
      'webhooks',
      'tokens',
      'audit',
      'health',
    ].map((name) => [`administration: ${name}`, () => `/admin/${name}`]),
  ),
};

/** Opens screens in a page. @returns a function that opens one and returns the milliseconds until it is complete */
function opener(page: Page): (path: string) => Promise<number> {
  const running = new Set<unknown>();
  page.on('request', (request) => {
    // A subscription stays open as long as the page.
    if (!request.headers().accept?.includes('text/event-stream')) running.add(request);
  });
  page.on('requestfinished', (request) => running.delete(request));
  page.on('requestfailed', (request) => running.delete(request));
  const isComplete = async () =>
    running.size === 0 &&
    (await page.evaluate(
      () => !document.querySelector('.loading') && document.querySelectorAll('h1').length === 1,
    ));
  return async (path) => {
    const start = performance.now();
    await page.evaluate((address) => {
      history.pushState({}, '', address);
      dispatchEvent(new PopStateEvent('popstate'));
    }, path);
    let last = performance.now();
    // A screen can send further requests once it has rendered, so it must be complete for a moment.
    for (let calm = 0; calm < 3; ) {
      if (await isComplete()) calm += 1;
      else {
        calm = 0;
        last = performance.now();
      }
      await wait(15);
      if (performance.now() - start > 20_000) return Number.POSITIVE_INFINITY;
    }
    return last - start;
  };
}

await toTheEnd(async () => {
  const { url: cluster } = await startCluster({
    keptIn: resolve(values.keep),
    settings: serverSettings(await programsVersion()),
  });
  const databaseUrl = await keptDatabase(cluster, `opening_${documents}_${children}`, lay);
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const { url } = await startOurs({ DATABASE_URL: databaseUrl, DATA_DIR: folder });
  const { origin } = new URL(url);
  const browser = await chromium.launch({ executablePath: values.chromium, args: ['--no-sandbox'] });
  atEnd(() => browser.close());
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en' });
  const data = { username: 'Administrator', password: 'Administrator' };
  await context.request.post(`${origin}/login`, { data });
  const page = await context.newPage();
  await page.goto(`${origin}/tasks`, { waitUntil: 'networkidle' });
  const open = opener(page);
  console.log('| screen | first, ms | median, ms | longest, ms |\n| --- | ---: | ---: | ---: |');
  for (const [name, address] of Object.entries(screens)) {
    const times: number[] = [];
    for (let nth = 0; nth < rounds; nth += 1) {
      times.push(await open(address(nth)));
      await open('/no-such-screen');
    }
    const longest = Math.max(...times);
    if (longest > goal) process.exitCode = 1;
    const figures = [times[0] ?? Number.NaN, median(times), longest].map((time) => time.toFixed(0));
    console.log(`| ${name} | ${figures.join(' | ')}${longest > goal ? ', LOW' : ''} |`);
  }
});
