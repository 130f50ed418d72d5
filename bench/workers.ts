import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { atEnd, toTheEnd } from './closing.ts';
import { type Ids, readIds, requests } from './mixes.ts';
import type { Load, Sent } from './open-load.ts';
import { startOurs } from './ours.ts';
import { startPostgres } from './postgres.ts';
import { familyOf, memoryOfAll, type Running } from './processes.ts';
import { newFile } from './rows.ts';
import { seedOurs } from './seed.ts';
import { median } from './table.ts';
import { type Contender, clientsOf, type Run, rateOf, run, shareOf } from './workers/run.ts';
import { usageOf } from './workers/usage.ts';

const searchFor = (folder: string): string =>
  `SELECT * FROM File WHERE ecm:parentId = '${folder}' AND dc:nature = 'report' ORDER BY dc:modified DESC`;

/**
 * The kinds of requests, which are measured separately. Writes come last, because searches wait until earlier writes
 * are indexed.
 */
const kinds: Readonly<Record<string, (ids: Ids, any: (all: readonly string[]) => string) => Sent>> = {
  'a document by id': ({ files }, any) => ({ method: 'GET', path: `/api/v1/id/${any(files)}` }),
  'a page of 50': ({ folders }, any) => ({ method: 'GET', path: `/api/v1/id/${any(folders)}/@children` }),
  'a search': ({ folders }, any) => ({
    method: 'GET',
    path: `/api/v1/search/lang/NXQL/execute?pageSize=10&query=${encodeURIComponent(searchFor(any(folders)))}`,
  }),
  'create a file': ({ folders }, any) => ({
    method: 'POST',
    path: `/api/v1/id/${any(folders)}`,
    body: newFile(),
  }),
};

/** Returns a function that returns the next request of a kind. */
function requestsOf(kind: string, ids: Ids): () => Sent {
  const make = kinds[kind];
  if (!make) throw new Error(`There are no requests of the kind "${kind}".`);
  let count = 0;
  return () => {
    count += 1;
    return make(ids, (all) => all[(count * 7919) % all.length] ?? '');
  };
}

const sorted = (all: readonly number[]): number[] => [...all].sort((a, b) => a - b);

/** Returns the mean of the lowest tenth of the values, which other load on the machine affects least. */
function lowest(all: readonly number[]): number {
  const some = sorted(all).slice(0, Math.max(1, Math.round(all.length / 10)));
  return some.reduce((sum, each) => sum + each, 0) / some.length;
}

const range = (all: readonly number[]): string =>
  `× ${median(all).toFixed(2)} (${sorted(all)[0]?.toFixed(2)}–${sorted(all).at(-1)?.toFixed(2)})`;

/**
 * Summarizes the runs of one group of servers, including their ratios to the first group's runs in each round.
 */
function summary(name: string, runs: readonly Run[], first: readonly Run[]): string {
  const all = (key: keyof Run) => runs.map((each) => each[key]);
  const ratios = (key: keyof Run) =>
    runs.map((each, round) => each[key] / (first[round]?.[key] ?? Number.NaN));
  const cpu = `${median(all('cpu')).toFixed(3)} ms of CPU time, lowest ${lowest(all('cpu')).toFixed(3)}`;
  const garbage = `garbage ${median(all('garbage')).toFixed(3)}`;
  const least = lowest(all('cpu')) / lowest(first.map((each) => each.cpu));
  const compared = `rate ${range(ratios('perSecond'))}; CPU ${range(ratios('cpu'))}, lowest × ${least.toFixed(2)}`;
  const rate = `${Math.round(median(all('perSecond')))} per second`;
  return `  ${name}: ${rate}; ${cpu}, ${garbage}${runs === first ? '' : `; ${compared}`}`;
}

/**
 * Measures the memory of all processes with two to four workers: before a load, at its end, and half a minute
 * later.
 */
async function memories(settings: Parameters<typeof startOurs>[0], ids: Ids): Promise<void> {
  for (const WORKERS of ['2', '3', '4']) {
    const server = await startOurs({ ...settings, WORKERS });
    const held = async (): Promise<number> => Math.round((await memoryOfAll(server.pid)) ?? Number.NaN);
    await wait(5_000);
    const before = await held();
    const pace = { connections: 16 };
    const usage = await usageOf([server]);
    await run({ servers: [server], usage, pace, next: requests('mix', ids) }, 15);
    const atEnd = await held();
    await wait(30_000);
    console.log(`${WORKERS} workers: ${before} MB, ${atEnd} MB after a load, finally ${await held()} MB`);
    await server.stop();
  }
}

/**
 * Compares two workers with one process, shows what causes the difference, and measures the memory of each worker.
 */

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '2' },
    // V8 compiles code during roughly the first 100,000 requests to each process. Without a warm-up, compilation would
    // account for most of the cost of a second process.
    'warm-up': { type: 'string', default: '60' },
    only: { type: 'string', default: [...Object.keys(kinds), 'memory'].join() },
  },
});
const [rounds, seconds, warmUp] = [values.rounds, values.seconds, values['warm-up']].map(Number) as [
  number,
  number,
  number,
];
const only = new Set(values.only.split(','));

/** Runs all groups of servers in turn, so that other load on the machine affects all of them equally. */
async function compare(title: string, all: readonly Contender[]): Promise<void> {
  const runs = all.map((): Run[] => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [index, contender] of all.entries()) runs[index]?.push(await run(contender, seconds));
  console.log(`${title} (load ${loadavg()[0]?.toFixed(0)}):`);
  for (const [index, { name }] of all.entries()) console.log(summary(name, runs[index] ?? [], runs[0] ?? []));
}

type Settings = Parameters<typeof startOurs>[0];

interface Group extends Pick<Contender, 'servers' | 'usage'> {
  readonly ids: Ids;
  readonly settings: Settings;
}

const postgres = await startPostgres();

/** Starts servers, each with a separate database, so that no server indexes another server's writes. */
async function group(count: number, settings: Partial<Settings>): Promise<Group> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const all = { ...settings, DATABASE_URL: await postgres.createDatabase(), DATA_DIR: folder };
  const first = await startOurs(all);
  const others: Running[] = [];
  await seedOurs(all.DATABASE_URL);
  for (let more = 1; more < count; more += 1) others.push(await startOurs(all));
  const processes = settings.WORKERS ? 1 + Number(settings.WORKERS) : 1;
  while ((await familyOf(first.pid)).length < processes) await wait(100);
  const servers = [first, ...others];
  return { servers, usage: await usageOf(servers), ids: await readIds(first.url), settings: all };
}

async function main(): Promise<void> {
  const alone = await group(1, {});
  if (only.has('memory')) await memories(alone.settings, alone.ids);
  const shared = await group(1, { WORKERS: '2' });
  const separate = await group(2, { DATABASE_CONNECTIONS: '4' }); // A worker has the same number of connections.
  const contenders = (kind: string, pace: Load['pace']): Contender[] => {
    const contenderOf = ({ ids, ...each }: Group) => ({ ...each, next: requestsOf(kind, ids) });
    return [
      { name: 'one process', ...contenderOf(alone), pace },
      { name: 'one process, half of the load', ...contenderOf(alone), pace: shareOf(pace, 2) },
      { name: 'two workers', ...contenderOf(shared), pace },
      { name: 'two workers, each with as much', ...contenderOf(shared), pace: shareOf(pace, 1 / 2) },
      { name: 'two servers on two ports', ...contenderOf(separate), pace },
    ];
  };
  for (const kind of Object.keys(kinds).filter((each) => only.has(each))) {
    const pace = { connections: clientsOf(kind) };
    for (const { ids, ...each } of [alone, shared, separate]) {
      // Each process compiles its own code, so two processes need a longer warm-up.
      const lasting = each.servers === alone.servers ? warmUp : 2 * warmUp;
      await run({ ...each, pace, next: requestsOf(kind, ids) }, lasting);
    }
    await compare(`${kind}, ${pace.connections} clients`, contenders(kind, pace));
    const rate = rateOf(kind);
    if (rate) await compare(`${kind}, ${rate} per second`, contenders(kind, { rate }));
  }
}

await toTheEnd(main);
