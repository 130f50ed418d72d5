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
import { type Contender, clientsOf, type Run, run, shareOf } from './workers/run.ts';
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
async function compare(kind: string, title: string, all: readonly Contender[], ids: Ids): Promise<void> {
  const next = requestsOf(kind, ids);
  const runs = all.map((): Run[] => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [index, contender] of all.entries()) runs[index]?.push(await run(contender, seconds, next));
  console.log(`${kind}, ${title} (load ${loadavg()[0]?.toFixed(0)}):`);
  for (const [index, { name }] of all.entries()) console.log(summary(name, runs[index] ?? [], runs[0] ?? []));
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const settings = { DATABASE_URL: await (await startPostgres()).createDatabase(), DATA_DIR: folder };
  const one = await startOurs(settings);
  await seedOurs(settings.DATABASE_URL);
  const ids = await readIds(one.url);
  if (only.has('memory')) await memories(settings, ids);
  // As many connections as a worker has.
  const apart = { ...settings, DATABASE_CONNECTIONS: '4' };
  const [two, ...ports] = await Promise.all(
    [{ ...settings, WORKERS: '2' }, apart, apart].map((each) => startOurs(each)),
  );
  if (!two) throw new Error('nothing was started');
  while ((await familyOf(two.pid)).length < 3) await wait(100);
  const measured = async (servers: readonly Running[]) => ({ servers, usage: await usageOf(servers) });
  const [alone, shared, separate] = [await measured([one]), await measured([two]), await measured(ports)];
  const contenders = (pace: Load['pace']): Contender[] => [
    { name: 'one process', ...alone, pace },
    { name: 'one process, half of the load', ...alone, pace: shareOf(pace, 2) },
    { name: 'two workers', ...shared, pace },
    { name: 'two workers, each with as much', ...shared, pace: shareOf(pace, 1 / 2) },
    { name: 'two servers on two ports', ...separate, pace },
  ];
  for (const kind of Object.keys(kinds).filter((each) => only.has(each))) {
    const pace = { connections: clientsOf(kind) };
    for (const each of [alone, shared, separate]) {
      const lasting = each === alone ? warmUp : 2 * warmUp; // each process compiles for itself
      await run({ ...each, pace }, lasting, requestsOf(kind, ids));
    }
    await compare(kind, `${pace.connections} clients`, contenders(pace), ids);
    if (kind === 'a document by id') await compare(kind, '300 a second', contenders({ rate: 300 }), ids);
  }
}

await toTheEnd(main);
