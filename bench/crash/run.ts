import { randomInt } from 'node:crypto';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/embedded/open-database.ts';
import { startS3Server } from '../../test/support/s3-server.ts';
import { atEnd, toTheEnd } from '../closing.ts';
import { type CrashedDatabase, type DatabaseName, databaseNames, newDatabase } from './databases.ts';
import { Later } from './later.ts';
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
  readonly isInS3: boolean;
}

/** Parses the command-line options. @throws Error if an option is unknown or a value is invalid */
function readOptions(): Options {
  const options = {
    kills: { type: 'string', default: '100' },
    database: { type: 'string', default: 'both' },
    blobs: { type: 'string', default: 'folder' },
    seed: { type: 'string', default: String(randomInt(1_000_000)) },
  } as const;
  const { values } = parseArgs({ options });
  const kills = Number(values.kills);
  if (!Number.isInteger(kills) || kills < 1) throw new Error('--kills must be a number greater than 0');
  const on = databaseNames.filter((name) => values.database === 'both' || values.database === name);
  if (on.length === 0) throw new Error(`--database must be ${databaseNames.join(', ')} or both`);
  if (!['folder', 's3'].includes(values.blobs)) throw new Error('--blobs must be folder or s3');
  return { kills, on, seed: values.seed, isInS3: values.blobs === 's3' };
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

/** Moves a database's blobs to an S3 server, which is not killed along with the Quire server. */
async function withS3(database: CrashedDatabase): Promise<CrashedDatabase> {
  const s3 = await startS3Server(join(dirname(database.settings.DATA_DIR), 's3'));
  atEnd(async () => s3[Symbol.asyncDispose]());
  return { ...database, settings: { ...database.settings, BLOB_STORE: s3.address('crash') } };
}

/** Kills the server several times with the same database. @returns the number of faults */
async function crash(on: DatabaseName, { kills, seed, isInS3 }: Options): Promise<number> {
  console.log(`${on}: seed ${seed}`);
  const made = await newDatabase(on);
  const database = isInS3 ? await withS3(made) : made;
  let target = await startTarget(database.settings);
  const receiver = await startReceiver();
  const since = new Date();
  await createWebhook(target.url, receiver);
  const random = new Random(`${seed} ${on}`);
  const workers = await createWorkers(target.url, connections, `${seed} ${on}`);
  const later = new Later();
  await later.prepare(target.url);
  const trial: Trial = { database, workers, later, random, ledger: new Ledger() };
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
    console.log(`  process ${pid} is still running`);
    faults += 1;
  }
  const { acknowledged, kinds, cutOff, refused } = trial.ledger;
  const each = [...kinds].map(([kind, count]) => `${count} × ${kind}`);
  console.log(
    `${on}: ${kills} kills, ${acknowledged} writes acknowledged (${each.join(', ')}), ${later.accepted} executions accepted, ${cutOff} interrupted, ${refused} rejected, ${faults} lost` +
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
