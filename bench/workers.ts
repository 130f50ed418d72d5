import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { atEnd, toTheEnd } from './closing.ts';
import { type Ids, readIds } from './mixes.ts';
import type { Load } from './open-load.ts';
import { startOurs } from './ours.ts';
import { startPostgres } from './postgres.ts';
import { familyOf, type Running } from './processes.ts';
import { seedOurs } from './seed.ts';
import { memories } from './workers/memory.ts';
import { kinds, requestsOf } from './workers/requests.ts';
import { type Contender, clientsOf, type Run, rateOf, run, shareOf } from './workers/run.ts';
import { summary } from './workers/summary.ts';
import { usageOf } from './workers/usage.ts';

/** What two workers cost beside one process, where that comes from, and what each further one holds. */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '2' },
    // Code is compiled for some 100,000 requests in each process: counted, that is what a second one costs most.
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

/** Asks all in turn, so that what else the machine does is done to all. */
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

/** Servers with a database of their own: what one of them writes, no other one indexes. */
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
  const separate = await group(2, { DATABASE_CONNECTIONS: '4' }); // as many as a worker has
  const contenders = (kind: string, pace: Load['pace']): Contender[] => {
    const asked = ({ ids, ...each }: Group) => ({ ...each, next: requestsOf(kind, ids) });
    return [
      { name: 'one process', ...asked(alone), pace },
      { name: 'one process, half of the load', ...asked(alone), pace: shareOf(pace, 2) },
      { name: 'two workers', ...asked(shared), pace },
      { name: 'two workers, each with as much', ...asked(shared), pace: shareOf(pace, 1 / 2) },
      { name: 'two servers on two ports', ...asked(separate), pace },
    ];
  };
  for (const kind of Object.keys(kinds).filter((each) => only.has(each))) {
    const pace = { connections: clientsOf(kind) };
    for (const { ids, ...each } of [alone, shared, separate]) {
      const lasting = each.servers === alone.servers ? warmUp : 2 * warmUp; // each process compiles for itself
      await run({ ...each, pace, next: requestsOf(kind, ids) }, lasting);
    }
    await compare(`${kind}, ${pace.connections} clients`, contenders(kind, pace));
    const rate = rateOf(kind);
    if (rate) await compare(`${kind}, ${rate} a second`, contenders(kind, { rate }));
  }
}

await toTheEnd(main);
