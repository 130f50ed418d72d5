import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { atEnd, toTheEnd } from './closing.ts';
import { type Ids, type Mix, mixes, readIds, requests } from './mixes.ts';
import { drive, type Load } from './open-load.ts';
import { authorization, startOurs } from './ours.ts';
import { startPostgres } from './postgres.ts';
import { cpuTimeOfAll, memoryOfAll, type Running } from './processes.ts';
import { seedOurs } from './seed.ts';
import { median } from './table.ts';

/** What two workers cost beside one process, and what each further one holds. */
// Code is compiled for some 100,000 requests in each process: counted before, that is what a second process costs most.
const [rounds, seconds, warmUp] = [5, 4, 60];

/** Requests that arrive whatever becomes of the others; and clients that ask one after the other. */
const paces: Readonly<Record<string, Load['pace']>> = {
  '300 a second': { rate: 300 },
  '32 clients': { connections: 32 },
  '128 clients': { connections: 128 },
};

interface Run {
  readonly perSecond: number;
  /** CPU time of a request in all processes of the server, in milliseconds. */
  readonly cpu: number;
}

async function run(
  { pid, url }: Running,
  mix: Mix,
  ids: Ids,
  { pace, seconds }: Pick<Load, 'pace' | 'seconds'>,
): Promise<Run> {
  const before = (await cpuTimeOfAll(pid)) ?? Number.NaN;
  const next = requests(mix, ids);
  const { goodput, statuses } = await drive({ url, authorization, seconds, pace, clients: 64, next });
  const wrong = [...statuses].filter(([status]) => status < 200 || status >= 300);
  if (wrong.length > 0) throw new Error(`${mix}: ${wrong.map(([status, count]) => `${count} × ${status}`)}`);
  const count = [...statuses.values()].reduce((sum, each) => sum + each, 0);
  return { perSecond: goodput, cpu: (((await cpuTimeOfAll(pid)) ?? Number.NaN) - before) / count };
}

const ratios = (one: readonly Run[], two: readonly Run[], key: keyof Run): string => {
  const all = two.map((each, round) => each[key] / (one[round]?.[key] ?? Number.NaN)).sort((a, b) => a - b);
  return `× ${median(all).toFixed(2)} (${all[0]?.toFixed(2)}–${all.at(-1)?.toFixed(2)})`;
};

/** Asks both in turn, so that what else the machine does is done to both. */
async function compare(
  [one, two]: readonly [Running, Running],
  mix: Mix,
  ids: Ids,
  pace: Load['pace'],
): Promise<string> {
  const runs: [Run[], Run[]] = [[], []];
  for (let round = 0; round < rounds; round += 1)
    for (const [index, server] of [one, two].entries())
      runs[index]?.push(await run(server, mix, ids, { pace, seconds }));
  const middle = (index: 0 | 1, key: keyof Run): number => median(runs[index].map((each) => each[key]));
  const rate = `${Math.round(middle(0, 'perSecond'))} and ${Math.round(middle(1, 'perSecond'))} a second`;
  const cpu = `${middle(0, 'cpu').toFixed(2)} and ${middle(1, 'cpu').toFixed(2)} ms`;
  return `${rate}, ${ratios(...runs, 'perSecond')}; ${cpu} of CPU, ${ratios(...runs, 'cpu')}`;
}

/** MB of all processes, with more and more workers: before a load, at its end, and half a minute later. */
async function memories(settings: Parameters<typeof startOurs>[0], ids: Ids): Promise<void> {
  for (const WORKERS of ['2', '3', '4']) {
    const server = await startOurs({ ...settings, WORKERS });
    const held = async (): Promise<number> => Math.round((await memoryOfAll(server.pid)) ?? Number.NaN);
    await wait(5_000);
    const before = await held();
    await run(server, 'mix', ids, { pace: { connections: 16 }, seconds: 15 });
    const atEnd = await held();
    await wait(30_000);
    console.log(`${WORKERS} workers: ${before} MB, after a load ${atEnd} MB, then ${await held()} MB`);
    await server.stop();
  }
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const settings = { DATABASE_URL: await (await startPostgres()).createDatabase(), DATA_DIR: folder };
  const one = await startOurs(settings);
  await seedOurs(settings.DATABASE_URL);
  const ids = await readIds(one.url);
  await memories(settings, ids);
  const two = await startOurs({ ...settings, WORKERS: '2' });
  for (const mix of mixes) {
    for (const server of [one, two])
      await run(server, mix, ids, { pace: { connections: 64 }, seconds: warmUp });
    for (const [name, pace] of Object.entries(paces))
      console.log(`${mix}, ${name}: ${await compare([one, two], mix, ids, pace)}`);
  }
}

await toTheEnd(main);
