import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { atEnd, toTheEnd } from './closing.ts';
import { type Ids, type Mix, mixes, readIds, requests } from './mixes.ts';
import { drive, type Load, type Result } from './open-load.ts';
import { authorization, startOurs } from './ours.ts';
import { startPostgres } from './postgres.ts';
import { seedOurs } from './seed.ts';
import { median } from './table.ts';

/** What a server does that is asked for more than it can: how much of its best it still answers. */
const rounds = 3;
const seconds = 5;
const warmUp = 5;
const factors = [1, 2, 3] as const;

/** Connections that saturate the server while each waits for its answers. */
const saturating = 32;

/** How often `/health/live` is asked, in milliseconds. */
const beat = 25;

interface Order extends Pick<Load, 'url' | 'seconds' | 'pace'> {
  readonly mix: Mix;
  readonly ids: Ids;
}

/** In a process of its own: the answers of `/health/live` are timed in this one. */
async function driveElsewhere(order: Order): Promise<Result> {
  const child = fork(fileURLToPath(import.meta.url), ['drive'], {
    ...{ execArgv: ['--import', 'tsx'], serialization: 'advanced' },
  });
  atEnd(async () => child.kill());
  child.send(order);
  const died = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the load ended with ${code}`)));
  const [result] = (await Promise.race([once(child, 'message'), died])) as [Result];
  died.catch(() => {}); // as it does when it is done
  child.disconnect();
  return result;
}

/** Asks `/health/live` until it is told to stop; answers the times in milliseconds, sorted. */
function watchLive(url: string): () => Promise<number[]> {
  const times: number[] = [];
  let isOver = false;
  const watch = async () => {
    while (!isOver) {
      const start = performance.now();
      const response = await fetch(`${url}/health/live`);
      await response.text();
      if (!response.ok) throw new Error(`/health/live: ${response.status}`);
      times.push(performance.now() - start);
      await new Promise((resolve) => setTimeout(resolve, beat));
    }
  };
  const watched = watch();
  return async () => {
    isOver = true;
    await watched;
    return times.sort((a, b) => a - b);
  };
}

/** Every answer that is neither 2xx nor 503. */
function faultsOf({ statuses }: Result): string[] {
  const wrong = [...statuses].filter(([status]) => status !== 503 && !(status >= 200 && status < 300));
  return wrong.map(([status, count]) => `${count} × ${status || 'no answer'}`);
}

interface Measured extends Result {
  readonly live: readonly number[];
}

async function measure(order: Order): Promise<Measured> {
  const stop = watchLive(order.url);
  const result = await driveElsewhere(order);
  const faults = faultsOf(result);
  if (faults.length > 0) {
    console.log(`  FAULTS: ${faults.join(', ')}`);
    process.exitCode = 1;
  }
  return { ...result, live: await stop() };
}

const at = (sorted: readonly number[], part: number): number =>
  sorted[Math.floor(sorted.length * part)] ?? Number.NaN;

function print(name: string, all: readonly Measured[], peaks: readonly number[]): void {
  const of = (value: (one: Measured) => number): string => median(all.map(value)).toFixed(0);
  const parts = all.map(({ goodput }, round) => goodput / (peaks[round] ?? Number.NaN));
  const range = `${Math.min(...parts).toFixed(2)}–${Math.max(...parts).toFixed(2)}`;
  console.log(
    `${name}: ${of(({ goodput }) => goodput)} good answers/s, ${median(parts).toFixed(2)} of the peak (${range}), ` +
      `${of(({ statuses }) => (statuses.get(503) ?? 0) / seconds)} refused/s, ` +
      `${of(({ unsent }) => unsent / seconds)} not sent/s; p50 ${of(({ p50 }) => p50)} ms, ` +
      `p99 ${of(({ p99 }) => p99)} ms; /health/live p50 ${of(({ live }) => at(live, 0.5))} ms, ` +
      `p99 ${of(({ live }) => at(live, 0.99))} ms`,
  );
}

/** The best of the server, then more than that, in each round. */
async function measureMix(order: Omit<Order, 'pace' | 'seconds'>): Promise<void> {
  const found = new Map<number, Measured[]>([
    [0, []],
    ...factors.map((factor) => [factor, []] as [number, Measured[]]),
  ]);
  const peaks: number[] = [];
  const saturate = (time: number) => measure({ ...order, seconds: time, pace: { connections: saturating } });
  await saturate(warmUp);
  let before = await saturate(seconds);
  for (let round = 0; round < rounds; round += 1) {
    for (const factor of factors) {
      found.get(factor)?.push(await measure({ ...order, seconds, pace: { rate: before.goodput * factor } }));
    }
    const after = await saturate(seconds);
    found.get(0)?.push(after);
    // What else the machine does changes slowly: the best before and the best after are held against it together.
    peaks.push((before.goodput + after.goodput) / 2);
    before = after;
  }
  for (const [factor, all] of found) {
    print(`${order.mix}, ${factor === 0 ? `${saturating} connections` : `${factor} × the peak`}`, all, peaks);
  }
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase();
  const server = await startOurs({ DATABASE_URL: databaseUrl, DATA_DIR: folder });
  console.error('laying 20,400 documents');
  await seedOurs(databaseUrl);
  const ids = await readIds(server.url);
  for (const mix of mixes) await measureMix({ mix, ids, url: server.url });
}

if (process.argv[2] === 'drive') {
  const [order] = (await once(process, 'message')) as [Order];
  process.send?.(await drive({ ...order, authorization, next: requests(order.mix, order.ids) }));
} else await toTheEnd(main);
