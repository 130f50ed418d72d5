import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { atEnd, toTheEnd } from '../closing.ts';
import { startPostgres } from '../postgres.ts';
import { Ledger } from './ledger.ts';
import { createWorkers } from './load.ts';
import { round, seconds, type Trial } from './round.ts';
import { type Settings, startTarget } from './target.ts';

const connections = 8;

const databases = ['embedded', 'server'] as const;
type DatabaseName = (typeof databases)[number];

/** @throws Error on an option that is none, or a value that is none. */
function readOptions(): { kills: number; on: readonly DatabaseName[] } {
  const options = {
    kills: { type: 'string', default: '20' },
    database: { type: 'string', default: 'both' },
  } as const;
  const { values } = parseArgs({ options });
  const kills = Number(values.kills);
  if (!Number.isInteger(kills) || kills < 1) throw new Error('--kills wants a number above 0');
  const on = databases.filter((name) => values.database === 'both' || values.database === name);
  if (on.length === 0) throw new Error(`--database: ${databases.join(', ')} or both`);
  return { kills, on };
}

/** The settings of a server that has nothing yet. */
async function newSettings(on: DatabaseName): Promise<Settings> {
  const folder = await mkdtemp(join(tmpdir(), `quire-crash-${on}-`));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const DATA_DIR = join(folder, 'data');
  if (on === 'embedded') return { DATA_DIR };
  process.env.BENCH_DATABASE_URL ??= process.env.TEST_DATABASE_URL ?? '';
  if (process.env.BENCH_DATABASE_URL === '') delete process.env.BENCH_DATABASE_URL;
  return { DATA_DIR, DATABASE_URL: await (await startPostgres()).createDatabase() };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Kills the server so many times on one database; answers how many faults there were. */
async function crash(on: DatabaseName, kills: number): Promise<number> {
  const settings = await newSettings(on);
  const first = await startTarget(settings);
  const trial: Trial = {
    settings,
    workers: await createWorkers(first.url, connections),
    ledger: new Ledger(),
  };
  await first.stop();
  const times: number[] = [];
  let faults = 0;
  for (let kill = 1; kill <= kills; kill += 1) {
    const outcome = await round(trial);
    console.log(`${on} ${kill}/${kills}: ${outcome.line}`);
    for (const fault of outcome.faults.slice(0, 20)) console.log(`  ${fault}`);
    times.push(outcome.readyAfter);
    faults += outcome.faults.length;
  }
  const { acknowledged, kinds, cutOff, refused } = trial.ledger;
  const each = [...kinds].map(([kind, count]) => `${count} × ${kind}`);
  console.log(
    `${on}: ${kills} kills, ${acknowledged} writes acknowledged (${each.join(', ')}), ${cutOff} cut off, ${refused} refused, ${faults} lost` +
      ` or wrong; ready again after ${seconds(median(times))} (median), ${seconds(Math.max(...times))} (longest)`,
  );
  return faults;
}

await toTheEnd(async () => {
  const { kills, on } = readOptions();
  let faults = 0;
  for (const name of on) faults += await crash(name, kills);
  process.exitCode = faults === 0 ? 0 : 1;
});
