import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { serverSettings } from '../src/embedded/postgresql.ts';
import { atEnd, toTheEnd } from './closing.ts';
import { authorization, startOurs } from './ours.ts';
import { execute, keptDatabase, programsVersion, startCluster, startPostgres } from './postgres.ts';
import { goals, type ScaleRow, scaleRows } from './scale-rows.ts';
import { bytesOf, rareAcl, readerOf, seedScale } from './seed-scale.ts';

/**
 * Measures requests in databases of several sizes (`--documents 10000,1000000`), for the administrator and for users
 * who can read half of the documents, a 500th of them, or a single folder. Four clients send the requests of each row
 * for several seconds; `--only` selects rows by parts of their names. `--hot 100000` sets the number of different
 * documents that the requests return. These documents are in memory, as on a busy server; if the number equals the
 * number of documents, they are read from disk.
 */

const clients = 4;

const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;

/** The number of requests sent so far. Varied rows use it to continue where the previous row stopped. */
let nth = 0;

/**
 * Sends the requests of a row. Returns the response times in milliseconds in ascending order, or an empty list if no
 * request finished within the duration. Does not use `fetch`, which needs as much CPU time as the server.
 * @throws Error for a response other than 200 or, for a user, 403
 */
async function ask(
  base: string,
  headers: Record<string, string>,
  { path }: ScaleRow,
  until: Pick<autocannon.Options, 'duration' | 'amount'>,
): Promise<number[]> {
  const times: number[] = [];
  const wrong = new Set<number>();
  const { origin, pathname } = new URL(base);
  const next = (request: autocannon.Request): autocannon.Request => {
    nth += 1;
    return { ...request, path: `${pathname}${path(nth - 1)}` };
  };
  const requests = [{ setupRequest: next }];
  const options = { url: origin, connections: clients, ...until, timeout: 60, headers, requests };
  const { errors } = await new Promise<autocannon.Result>((resolve, reject) => {
    autocannon(options, (error: unknown, done) => (error ? reject(error) : resolve(done))).on(
      'response',
      (_, status, __, milliseconds) => {
        times.push(milliseconds);
        if (status !== 200 && status !== 403) wrong.add(status);
      },
    );
  });
  if (errors > 0 || wrong.size > 0) throw new Error(`${base}${path(0)}: ${errors} errors, ${[...wrong]}`);
  return times.sort((a, b) => a - b);
}

/**
 * Returns the cursor of a page of 50 entries; undefined after the last page. Cursors do not depend on the page size, so
 * larger pages are read to find the cursor.
 */
async function cursorOf(
  address: string,
  headers: Record<string, string>,
  page: number,
): Promise<string | undefined> {
  let cursor: string | undefined = '*';
  for (let left = (page - 1) * 50; left > 0 && cursor !== undefined; left -= 1_000) {
    const part = `${address}&pageSize=${Math.min(left, 1_000)}&cursor=${cursor}`;
    const body = (await (await fetch(part, { headers })).json()) as { nextCursor?: string };
    cursor = body.nextCursor;
  }
  return cursor;
}

async function createUser(
  base: string,
  username: string,
  groups: readonly string[],
): Promise<Record<string, string>> {
  const body = { 'entity-type': 'user', properties: { username, password: username, groups } };
  const headers = { authorization, 'content-type': 'application/json' };
  const { ok, status } = await fetch(`${base}/user`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!ok && status !== 409) throw new Error(`the user ${username} cannot be created`);
  return { authorization: `Basic ${Buffer.from(`${username}:${username}`).toString('base64')}` };
}

interface Measuring {
  readonly seconds: number;
  readonly hot: number;
  readonly only: string;
}

/** Inserts the documents into a database whose tables a server has created. */
async function lay(databaseUrl: string, documents: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const ours = await startOurs({ DATABASE_URL: databaseUrl, DATA_DIR: folder });
  const seconds = await seedScale(databaseUrl, documents);
  await ours.stop();
  console.log(
    `${documents} documents: inserted in ${seconds.rows.toFixed(0)} s, the index built in ${seconds.index.toFixed(0)} s`,
  );
}

async function measure(
  databaseUrl: string,
  documents: number,
  { seconds, hot, only }: Measuring,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const base = `${(await startOurs({ DATABASE_URL: databaseUrl, DATA_DIR: folder })).url}/api/v1`;
  const [size] = (await execute(
    databaseUrl,
    `SELECT pg_database_size(current_database()) AS all, pg_total_relation_size('search_document') AS index`,
  )) as Array<{ all: string; index: string }>;
  const perDocument = (bytes: string | undefined) => Math.round(Number(bytes) / documents);
  console.log(
    `${documents} documents: ${perDocument(size?.all)} bytes each on disk, of which the index takes ${perDocument(size?.index)}`,
  );
  const callers = {
    administrator: { authorization },
    half: await createUser(base, 'ann', ['members']),
    'a 500th': await createUser(base, readerOf(1), []),
    'one folder': await createUser(base, readerOf(rareAcl), []),
  };
  console.log('| request | caller | p50, ms | p95, ms | goal |\n| --- | --- | ---: | ---: | ---: |');
  const rows = scaleRows(documents, hot).filter(({ name }) => name.includes(only));
  // Warms up the server. Its code is compiled only after some requests, so the first rows would otherwise be
  // slower.
  for (const row of rows.filter(({ cursorOfPage }) => cursorOfPage === undefined))
    for (const headers of Object.values(callers)) await ask(base, headers, row, { duration: seconds / 4 });
  for (const row of rows) {
    // Loads the row's documents into memory first, unless reads from disk are to be measured.
    const amount = row.distinct ?? 0;
    if (amount > 1 && hot < documents) await ask(base, { authorization }, row, { amount });
    for (const [caller, headers] of Object.entries(callers)) {
      const { cursorOfPage: page } = row;
      const whole = `${base}${row.path(0).replace('pageSize=50&', '')}`;
      const cursor = page === undefined ? undefined : await cursorOf(whole, headers, page);
      if (page !== undefined && cursor === undefined) continue; // The result does not have this page.
      const request = cursor === undefined ? row : { ...row, path: () => `${row.path(0)}&cursor=${cursor}` };
      await ask(base, headers, request, { duration: seconds / 2 });
      const times = await ask(base, headers, request, { duration: seconds });
      const figures = [0.5, 0.95].map((part) => percentile(times, part).toFixed(1));
      console.log(`| ${row.name} | ${caller} | ${figures.join(' | ')} | ${goals[row.goal]} |`);
    }
  }
}

/** Returns the sizes for which the disk has enough space, and prints the sizes that are skipped. */
async function fitting(sizes: readonly number[], folder: string): Promise<number[]> {
  const { bavail, bsize } = await statfs(folder);
  const most = Math.floor((bavail * bsize * 0.8) / bytesOf(1));
  for (const size of sizes)
    if (size > most) console.log(`${size} documents do not fit on the disk; the maximum is ${most}`);
  return sizes.filter((size) => size <= most);
}

interface Keeping extends Measuring {
  readonly isOnlyLaid: boolean;
  /** The settings of PostgreSQL. */
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * Inserts missing documents into a permanent folder and then runs the measurements, unless only inserting was
 * requested.
 */
async function measureKept(folder: string, sizes: readonly number[], keeping: Keeping): Promise<void> {
  const { url } = await startCluster({ keptIn: resolve(folder), settings: keeping.settings });
  for (const documents of sizes) {
    const database = await keptDatabase(url, `scale_${documents}`, async (unfinished) => {
      const [fits] = await fitting([documents], folder);
      if (fits === undefined)
        throw new Error(`the disk does not have enough space for ${documents} documents`);
      await lay(unfinished, documents);
    });
    if (!keeping.isOnlyLaid) await measure(database, documents, keeping);
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      documents: { type: 'string', default: '10000,10000000' },
      seconds: { type: 'string', default: '8' },
      hot: { type: 'string', default: '100000' },
      only: { type: 'string', default: '' },
      laid: { type: 'string' },
      keep: { type: 'string' },
      'lay-only': { type: 'boolean', default: false },
      set: { type: 'string', multiple: true, default: [] },
    },
  });
  const { laid, only, keep } = values;
  const set = Object.fromEntries(values.set.map((setting) => setting.split('=', 2) as [string, string]));
  const settings = { ...serverSettings(await programsVersion()), ...set };
  const measuring = { seconds: Number(values.seconds), hot: Number(values.hot), only };
  const sizes = values.documents.split(',').map(Number);
  if (keep !== undefined) {
    const keeping = { ...measuring, isOnlyLaid: values['lay-only'], settings };
    return measureKept(keep, sizes, keeping);
  }
  if (laid !== undefined) return measure(laid, Number(values.documents), measuring);
  const postgres = await startPostgres(settings);
  for (const documents of await fitting(sizes, tmpdir())) {
    const database = await postgres.createDatabase();
    await lay(database, documents);
    await measure(database, documents, measuring);
  }
}

await toTheEnd(main);
