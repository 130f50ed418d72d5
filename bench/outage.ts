import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { atEnd, toTheEnd } from './closing.ts';
import { type Ids, readIds, requests } from './mixes.ts';
import { drive } from './open-load.ts';
import { authorization, startOurs } from './ours.ts';
import { type Cluster, execute, type StopMode, startCluster } from './postgres.ts';
import { seedOurs } from './seed.ts';

/** Stops and restarts a PostgreSQL server under load. Measures the responses and how long the recovery takes. */

const modes: readonly StopMode[] = ['fast', 'immediate', 'fast', 'immediate'];
const connections = 16;

/** How long the load runs before the outage, during it, and after it, in milliseconds. */
const [before, away, after] = [6_000, 6_000, 12_000];

/**
 * The length of the intervals in which the speed is measured, in milliseconds, and the fraction of the median speed
 * before the outage that counts as full speed.
 */
const step = 500;
const full = 0.8;

interface Answer {
  readonly status: number;
  readonly at: number;
  readonly took: number;
}

const isGood = ({ status }: Answer): boolean => status >= 200 && status < 300;

/** Returns the number of successful responses in the interval that starts at the given time. */
const speedAt = (answers: readonly Answer[], from: number): number =>
  answers.filter((answer) => isGood(answer) && answer.at >= from && answer.at < from + step).length;

const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/**
 * Returns the number of seconds from the moment when PostgreSQL accepts connections again to the end of the first
 * interval at full speed.
 */
function recovery(
  answers: readonly Answer[],
  { start, accepts }: { start: number; accepts: number },
): number {
  const usual = middle(
    Array.from({ length: before / step - 2 }, (_, at) => speedAt(answers, start + (at + 1) * step)),
  );
  for (let since = 0; since + step <= after; since += step / 5)
    if (speedAt(answers, accepts + since) >= full * usual) return (since + step) / 1000;
  return Number.POSITIVE_INFINITY;
}

/**
 * Runs one outage under load.
 * @returns descriptions of the responses that clients should not have received
 */
async function outage(mode: StopMode, cluster: Cluster, url: string, ids: Ids): Promise<string[]> {
  const answers: Answer[] = [];
  const start = performance.now();
  const loaded = drive({
    url,
    authorization,
    pace: { connections },
    next: requests('mix', ids),
    seconds: (before + away + after) / 1000 + 4,
    onAnswer: (status, took) => void answers.push({ status, took, at: performance.now() }),
  });
  await wait(before);
  await cluster.stop(mode);
  await wait(away);
  await cluster.start();
  const accepts = performance.now();
  const { statuses } = await loaded;
  const wrong = answers.filter((answer) => !isGood(answer) && answer.status !== 503);
  const longest = Math.max(...answers.map(({ took }) => took)) / 1000;
  const back = recovery(answers, { start, accepts });
  const told = [...statuses].map(([status, count]) => `${count} × ${status || 'no answer'}`).join(', ');
  console.log(
    `${mode}: ${told}; the slowest response took ${longest.toFixed(1)} s; ` +
      `full speed ${back.toFixed(1)} s after PostgreSQL accepts connections`,
  );
  return [
    ...(wrong.length > 0 ? [`${wrong.length} responses were neither 2xx nor 503`] : []),
    ...(back > 5 ? [`${mode}: slow for ${back} s`] : []),
  ];
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const cluster = await startCluster();
  await execute(cluster.url, 'CREATE DATABASE outage');
  const databaseUrl = new URL(cluster.url);
  databaseUrl.pathname = '/outage';
  const server = await startOurs({ DATABASE_URL: databaseUrl.href, DATA_DIR: folder });
  console.error('creating 20,400 documents');
  await seedOurs(databaseUrl.href);
  const ids = await readIds(server.url);
  await drive({
    url: server.url,
    authorization,
    seconds: 5,
    pace: { connections },
    next: requests('mix', ids),
  });
  const faults: string[] = [];
  for (const mode of modes) faults.push(...(await outage(mode, cluster, server.url, ids)));
  for (const fault of faults) console.log(`FAULT: ${fault}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

await toTheEnd(main);
