import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { atEnd, toTheEnd } from './closing.ts';
import { drive, type Sent } from './open-load.ts';
import { authorization, startOurs } from './ours.ts';
import { startPostgres } from './postgres.ts';

/**
 * Measures how far the search index lags behind while small files are created: `--rate 300` files per second for
 * `--seconds 20`.
 */

const { values } = parseArgs({
  options: { rate: { type: 'string', default: '300' }, seconds: { type: 'string', default: '20' } },
});

/** The time between two measurements, in milliseconds. */
const interval = 20;

const ageSql = `SELECT coalesce((
  SELECT 1000 * extract(epoch FROM clock_timestamp() - changed_at) FROM search_change ORDER BY id LIMIT 1), 0)::float8 AS age`;

const percentile = (sorted: readonly number[], part: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN).toFixed(0);

const newFile = (): Sent => ({
  method: 'POST',
  path: '/api/v1/path/',
  body: JSON.stringify({
    'entity-type': 'document',
    type: 'File',
    name: randomUUID(),
    properties: { 'dc:title': `File ${randomUUID()}`, 'dc:description': 'a few words of a small file' },
  }),
});

async function main(): Promise<void> {
  const postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const { url } = await startOurs({ DATABASE_URL: databaseUrl, DATA_DIR: folder });
  const client = new pg.Client(databaseUrl);
  await client.connect();
  atEnd(() => client.end());
  const ageNow = async (): Promise<number> => (await client.query<{ age: number }>(ageSql)).rows[0]?.age ?? 0;

  const load = { url, authorization, next: newFile };
  await drive({ ...load, seconds: 5, pace: { rate: Number(values.rate) } });
  const ages: number[] = [];
  let isOver = false;
  const watch = async (): Promise<void> => {
    for (; !isOver; await wait(interval)) ages.push(await ageNow());
  };
  const watching = watch();
  const seconds = Number(values.seconds);
  const { goodput, p50, p99 } = await drive({ ...load, seconds, pace: { rate: Number(values.rate) } });
  isOver = true;
  await watching;
  const ended = performance.now();
  while ((await ageNow()) > 0) await wait(interval);
  const caughtUp = performance.now() - ended;
  ages.sort((a, b) => a - b);
  const behind = [0.5, 0.95, 1].map((part) => percentile(ages, part)).join(', ');
  console.log(`${goodput.toFixed(0)} files a second, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
  console.log(
    `the search index is behind by (median, p95, max): ${behind} ms; it caught up ${caughtUp.toFixed(0)} ms after the end`,
  );
}

await toTheEnd(main);
