import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { atEnd, toTheEnd } from './closing.ts';
import { type Ids, type Mix, mixes, readIds, requests } from './mixes.ts';
import { drive, type Load, type Result } from './open-load.ts';
import { authorization, startOurs } from './ours.ts';
import { startPostgres } from './postgres.ts';
import { seedOurs } from './seed.ts';
import { median } from './table.ts';
import { type Watched, watch } from './watch.ts';

/**
 * Measures what fraction of its maximum throughput a server maintains when it receives more requests than it can
 * handle.
 */

const options = {
  rounds: { type: 'string', default: '3' },
  seconds: { type: 'string', default: '5' },
  clients: { type: 'string', default: '4000' },
  only: { type: 'string', default: mixes.join() },
} as const;
const { values } = parseArgs({ options, allowPositionals: true });
const [rounds, seconds, clients] = [Number(values.rounds), Number(values.seconds), Number(values.clients)];
const warmUp = 5;
const factors = [1, 2, 3] as const;

/**
 * The number of connections that saturate the server if each sends its next request as soon as the previous response
 * has arrived.
 */
const saturating = 32;

/** The pause after a load, in milliseconds. It lets connections close before the next load. */
const settling = 1_000;

interface Order extends Pick<Load, 'url' | 'seconds' | 'pace' | 'clients'> {
  readonly pid: number;
  readonly mix: Mix;
  readonly ids: Ids;
}

/** A message from the process that generates the load: `start` when the load starts, and later the result. */
type Told = 'start' | Result;

/** Generates the load in a separate process, because this one measures the response times of `/health/live`. */
async function driveElsewhere(order: Omit<Order, 'pid'>, onStart: () => void): Promise<Result> {
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
  const told = async (): Promise<Told> => (await Promise.race([once(child, 'message'), died]))[0];
  for (let said = await told(); ; said = await told()) {
    if (said === 'start') onStart();
    else {
      child.disconnect();
      return said;
    }
  }
}

/** Lists the responses whose status is neither 2xx nor 503. */
function faultsOf({ statuses }: Result): string[] {
  const wrong = [...statuses].filter(([status]) => status !== 503 && !(status >= 200 && status < 300));
  return wrong.map(([status, count]) => `${count} × ${status || 'no answer'}`);
}

type Measured = Result & Watched;

async function measure({ pid, ...order }: Order): Promise<Measured> {
  let watched: ReturnType<typeof watch> | undefined;
  const result = await driveElsewhere(order, () => {
    watched = watch({ pid, url: order.url });
  });
  const seen = await (await watched)?.();
  if (!seen) throw new Error('the load did not start');
  await wait(settling);
  const faults = faultsOf(result);
  if (faults.length > 0) {
    console.log(`  FAULTS: ${faults.join(', ')}`);
    process.exitCode = 1;
  }
  return { ...result, ...seen };
}

const at = (sorted: readonly number[], part: number): number =>
  sorted[Math.floor(sorted.length * part)] ?? Number.NaN;

function print(name: string, all: readonly Measured[], peaks: readonly Peak[]): void {
  const of = (value: (one: Measured) => number): string => median(all.map(value)).toFixed(0);
  const parts = all.map(({ goodput }, round) => goodput / (peaks[round]?.goodput ?? Number.NaN));
  const cpu = all.map((one, round) => cpuOf(one) / (peaks[round]?.cpu ?? Number.NaN));
  const range = `${Math.min(...parts).toFixed(2)}–${Math.max(...parts).toFixed(2)}`;
  const lines = [
    `${of(({ goodput }) => goodput)} successful responses/s, ${median(parts).toFixed(2)} of the peak (${range}), ` +
      `${median(cpu).toFixed(2)} of its CPU time each; p50 ${of(({ p50 }) => p50)} ms, p99 ${of(({ p99 }) => p99)} ms`,
    `${of(({ waits }) => waits.count / seconds)}/s waited, ${of(({ waits }) => (waits.sum / waits.count) * 1000)} ms ` +
      `each; ${of(({ statuses }) => (statuses.get(503) ?? 0) / seconds)}/s rejected, ` +
      `${of(({ unsent }) => unsent / seconds)}/s not sent`,
    `/health/live p50 ${of(({ live }) => at(live, 0.5))} ms, p99 ${of(({ live }) => at(live, 0.99))} ms; ` +
      `${of(({ memory }) => memory)} MB`,
  ];
  console.log(`${name}: ${lines.join('\n  ')}`);
}

/** The maximum throughput of the server: successful responses per second, and the CPU time per response. */
interface Peak {
  readonly goodput: number;
  readonly cpu: number;
}

/** Returns the CPU time per successful response. It includes the cost of rejected requests. */
const cpuOf = ({ cpu, statuses }: Measured): number => {
  const good = [...statuses].filter(([status]) => status >= 200 && status < 300);
  return cpu / good.reduce((sum, [, count]) => sum + count, 0);
};

/** In each round, measures the maximum throughput and then the throughput under overload. */
async function measureMix(order: Omit<Order, 'pace' | 'seconds'>): Promise<void> {
  const found = new Map<number, Measured[]>([
    [0, []],
    ...factors.map((factor) => [factor, []] as [number, Measured[]]),
  ]);
  const peaks: Peak[] = [];
  const saturate = (time: number) => measure({ ...order, seconds: time, pace: { connections: saturating } });
  await saturate(warmUp);
  let before = await saturate(seconds);
  for (let round = 0; round < rounds; round += 1) {
    for (const factor of factors) {
      found
        .get(factor)
        ?.push(await measure({ ...order, seconds, clients, pace: { rate: before.goodput * factor } }));
    }
    const after = await saturate(seconds);
    found.get(0)?.push(after);
    // Other load on the machine changes slowly. Therefore the throughput under overload is compared with the mean
    // of the maxima measured before and after it.
    peaks.push({
      goodput: (before.goodput + after.goodput) / 2,
      cpu: (cpuOf(before) + cpuOf(after)) / 2,
    });
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
  console.error('creating 20,400 documents');
  await seedOurs(databaseUrl);
  const ids = await readIds(server.url);
  for (const mix of mixes)
    if (values.only.split(',').includes(mix))
      await measureMix({ mix, ids, url: server.url, pid: server.pid });
}

if (process.argv[2] === 'drive') {
  const [order] = (await once(process, 'message')) as [Order];
  const tell = (told: Told) => process.send?.(told);
  const onStart = () => tell('start');
  tell(await drive({ ...order, onStart, authorization, next: requests(order.mix, order.ids) }));
} else await toTheEnd(main);
