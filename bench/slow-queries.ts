import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { atEnd, toTheEnd } from './closing.ts';
import { type Ids, readIds, requests } from './mixes.ts';
import { drive, type Result } from './open-load.ts';
import { authorization, startOurs } from './ours.ts';
import { execute, startPostgres } from './postgres.ts';
import type { Running } from './processes.ts';
import { seedOurs } from './seed.ts';
import { median } from './table.ts';
import { watch } from './watch.ts';

/** Measures how much the slow queries of one user affect all other users. */

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, queries: { type: 'string', default: '1000' } },
  allowPositionals: true,
});
const [rounds, queries] = [Number(values.rounds), Number(values.queries)];
const readers = 16;

/** How long readers send requests. All slow queries that are still queued finish within this time. */
const seconds = 12;

/** The time within which all slow queries are sent, in seconds. */
const atOnce = 0.1;

/** The value of TRANSACTION_TIMEOUT, and how long a slow query would take without it, in seconds. */
const [timeout, slowness] = [3, 30];

const goals = { running: 2, live: 100, readers: 0.5 };

const user = { name: 'slow', password: 'a-password-of-slow-queries' };
const slowUser = `Basic ${Buffer.from(`${user.name}:${user.password}`).toString('base64')}`;

const search = (query: string): string => `/api/v1/search/execute?${new URLSearchParams({ query })}`;

/** A load that runs in a separate process, because this one measures the response times of `/health/live`. */
interface Order {
  readonly url: string;
  readonly ids: Ids;
  readonly isSlow: boolean;
}

async function driveOrder({ url, ids, isSlow }: Order): Promise<Result> {
  if (!isSlow) {
    const pace = { connections: readers };
    return drive({ url, authorization, seconds, pace, next: requests('reads', ids) });
  }
  let count = 0;
  const next = () => {
    count += 1; // Each query is different, because the server could run equal queries only once.
    const query = `SELECT * FROM Document WHERE ecm:fulltext = 'slow' AND dc:title <> '${count}'`;
    return { method: 'GET', path: search(query) } as const;
  };
  const pace = { rate: queries / atOnce };
  return drive({ url, authorization: slowUser, seconds: atOnce, pace, clients: queries, next });
}

async function driveElsewhere(order: Order): Promise<Result> {
  const child = fork(fileURLToPath(import.meta.url), ['drive'], {
    execArgv: ['--import', 'tsx'],
    serialization: 'advanced',
  });
  atEnd(async () => child.kill());
  child.send(order);
  const died = once(child, 'exit').then(([code]) =>
    Promise.reject(new Error(`the load process exited with code ${code}`)),
  );
  died.catch(() => {}); // The process also exits when it has finished normally.
  const [result] = (await Promise.race([once(child, 'message'), died])) as [Result];
  child.disconnect();
  return result;
}

/** Makes every full-text query slow, and creates the user who sends the queries. */
async function lay({ url }: Running, databaseUrl: string): Promise<void> {
  await execute(
    databaseUrl,
    `CREATE OR REPLACE FUNCTION search_keys("name" text, "kind" text, "values" text[]) RETURNS bigint[]
     LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM pg_sleep(${slowness}); RETURN '{}'::bigint[]; END $$`,
  );
  const properties = { username: user.name, password: user.password };
  const { status } = await fetch(`${url}/api/v1/user`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ 'entity-type': 'user', id: user.name, properties }),
  });
  if (status !== 201) throw new Error(`the user could not be created: ${status}`);
}

/** Counts the running statements and runs searches as another user. @returns a function that stops both */
async function observe({ url }: Running, databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  atEnd(() => client.end());
  const times: number[] = [];
  let [isOver, most] = [false, 0];
  const look = async () => {
    while (!isOver) {
      const { rows } = await client.query(
        `SELECT count(*)::int AS n FROM pg_stat_activity
         WHERE state = 'active' AND query LIKE '%search_keys%' AND pid <> pg_backend_pid()`,
      );
      most = Math.max(most, rows[0].n);
      const start = performance.now();
      const response = await fetch(url + search('SELECT * FROM Domain'), { headers: { authorization } });
      await response.text();
      if (!response.ok) throw new Error(`the search of another user failed: ${response.status}`);
      times.push(performance.now() - start);
      await wait(20);
    }
  };
  const looked = look();
  return async () => {
    isOver = true;
    await looked;
    return { most, times: times.sort((a, b) => a - b) };
  };
}

const at = (sorted: readonly number[], part: number): number =>
  sorted[Math.floor(sorted.length * part)] ?? Number.NaN;

async function measureOnce(server: Running, databaseUrl: string, ids: Ids, before: number) {
  const load = { url: server.url, ids };
  const [stopWatch, stopObserving] = [await watch(server), await observe(server, databaseUrl)];
  const [slow, reads] = await Promise.all([
    driveElsewhere({ ...load, isSlow: true }),
    driveElsewhere({ ...load, isSlow: false }),
  ]);
  const [{ live }, { most, times }] = [await stopWatch(), await stopObserving()];
  const after = (await driveElsewhere({ ...load, isSlow: false })).goodput;
  const ratio = reads.goodput / ((before + after) / 2);
  return { after, ratio, most, slow, live: at(live, 0.99), search: at(times, 0.99) };
}

const answersOf = ({ statuses }: Result): string =>
  [...statuses].map(([status, count]) => `${count} × ${status || 'no answer'}`).join(', ');

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const databaseUrl = await (await startPostgres()).createDatabase();
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: folder, TRANSACTION_TIMEOUT: String(timeout) };
  const server = await startOurs(settings);
  console.error('creating 20,400 documents');
  await seedOurs(databaseUrl);
  const ids = await readIds(server.url);
  await lay(server, databaseUrl);
  await driveElsewhere({ url: server.url, ids, isSlow: false }); // Warms up the server.
  let before = (await driveElsewhere({ url: server.url, ids, isSlow: false })).goodput;
  const all: Array<Awaited<ReturnType<typeof measureOnce>>> = [];
  for (let round = 0; round < rounds; round += 1) {
    const one = await measureOnce(server, databaseUrl, ids, before);
    all.push(one);
    before = one.after;
    console.log(
      `${queries} concurrent slow queries of one user: ${answersOf(one.slow)}; at most ${one.most} ran at the same time; ` +
        `${readers} readers reached ${one.ratio.toFixed(2)} of their rate; /health/live p99 ${one.live.toFixed(0)} ms; ` +
        `searches of another user p99 ${one.search.toFixed(0)} ms`,
    );
  }
  const [ratio, live] = [median(all.map((one) => one.ratio)), median(all.map((one) => one.live))];
  const isRight = all.every(
    ({ most, slow }) => most <= goals.running && [...slow.statuses.keys()].join() === '503',
  );
  console.log(
    `medians: readers ${ratio.toFixed(2)} of their rate, goal ≥ ${goals.readers}; ` +
      `/health/live p99 ${live.toFixed(0)} ms, goal ≤ ${goals.live} ms`,
  );
  if (!isRight || live > goals.live || ratio < goals.readers) process.exitCode = 1;
}

if (process.argv[2] === 'drive') {
  const [order] = (await once(process, 'message')) as [Order];
  process.send?.(await driveOrder(order));
} else await toTheEnd(main);
