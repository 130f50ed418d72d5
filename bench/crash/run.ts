import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/embedded/open-database.ts';
import { toTheEnd } from '../closing.ts';
import { type CrashedDatabase, type DatabaseName, databaseNames, newDatabase } from './databases.ts';
import { Ledger } from './ledger.ts';
import { createWorkers } from './load.ts';
import { Random } from './random.ts';
import { round, seconds, type Trial } from './round.ts';
import { startTarget } from './target.ts';
import { createWebhook, type Receiver, startReceiver, webhookFaults } from './webhooks.ts';

const connections = 8;

interface Options {
  readonly kills: number;
  readonly on: readonly DatabaseName[];
  readonly seed: string;
}

/** @throws Error on an option that is none, or a value that is none. */
function readOptions(): Options {
  const options = {
    kills: { type: 'string', default: '100' },
    database: { type: 'string', default: 'both' },
    seed: { type: 'string', default: String(randomInt(1_000_000)) },
  } as const;
  const { values } = parseArgs({ options });
  const kills = Number(values.kills);
  if (!Number.isInteger(kills) || kills < 1) throw new Error('--kills wants a number above 0');
  const on = databaseNames.filter((name) => values.database === 'both' || values.database === name);
  if (on.length === 0) throw new Error(`--database: ${databaseNames.join(', ')} or both`);
  return { kills, on, seed: values.seed };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const inWords = (times: readonly number[]): string =>
  `${seconds(median(times))} (median), ${seconds(Math.max(...times))} (longest)`;

async function missedWebhooks(
  { settings }: CrashedDatabase,
  receiver: Receiver,
  since: Date,
): Promise<string[]> {
  const { database } = await openDatabase(readConfig({ ...settings }));
  try {
    return await webhookFaults(database, receiver, since);
  } finally {
    await database.close();
  }
}

/** Kills the server so many times on one database; answers how many faults there were. */
async function crash(on: DatabaseName, { kills, seed }: Options): Promise<number> {
  console.log(`${on}: seed ${seed}`);
  const database = await newDatabase(on);
  let target = await startTarget(database.settings);
  const receiver = await startReceiver();
  const since = new Date();
  await createWebhook(target.url, receiver);
  const random = new Random(`${seed} ${on}`);
  const workers = await createWorkers(target.url, connections, `${seed} ${on}`);
  const trial: Trial = { database, workers, random, ledger: new Ledger() };
  const times = new Map<string, number[]>();
  let faults = 0;
  for (let kill = 1; kill <= kills; kill += 1) {
    const outcome = await round(trial, target);
    console.log(`${on} ${kill}/${kills}: ${outcome.line}`);
    for (const fault of outcome.faults.slice(0, 20)) console.log(`  ${fault}`);
    times.set(outcome.victims, [...(times.get(outcome.victims) ?? []), outcome.readyAfter]);
    faults += outcome.faults.length;
    target = outcome.target;
  }
  for (const fault of (await missedWebhooks(database, receiver, since)).slice(0, 20)) {
    console.log(`  ${fault}`);
    faults += 1;
  }
  await target.stop();
  for (const pid of database.left()) {
    console.log(`  process ${pid} is left over`);
    faults += 1;
  }
  const { acknowledged, kinds, cutOff, refused } = trial.ledger;
  const each = [...kinds].map(([kind, count]) => `${count} × ${kind}`);
  console.log(
    `${on}: ${kills} kills, ${acknowledged} writes acknowledged (${each.join(', ')}), ${cutOff} cut off, ${refused} refused, ${faults} lost` +
      ` or wrong; ready again after ${inWords([...times.values()].flat())}`,
  );
  for (const [victims, those] of times)
    console.log(`${on}: ${those.length} × ${victims}, ready again after ${inWords(those)}`);
  return faults;
}

await toTheEnd(async () => {
  const options = readOptions();
  let faults = 0;
  for (const name of options.on) faults += await crash(name, options);
  process.exitCode = faults === 0 ? 0 : 1;
});
