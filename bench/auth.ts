import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NextFunction, Request, Response } from 'express';
import { createAuthentication } from '../src/auth/index.ts';
import { createOidcClients } from '../src/auth/oidc/clients.ts';
import { readConfig } from '../src/config.ts';
import { createDatabase } from '../src/db/database.ts';
import { newMeter } from '../src/db/meter.ts';
import { connectServer } from '../src/db/postgres-server.ts';
import { identify } from '../src/http/identify.ts';
import { createSecrets } from '../src/secrets.ts';
import { createLoginAttempts } from '../src/security/login-attempts.ts';
import { createJournal } from '../src/store/audit/journal.ts';
import { atEnd, toTheEnd } from './closing.ts';
import { type Ids, readIds, requests } from './mixes.ts';
import { drive, type Load, type Result } from './open-load.ts';
import { authorization, startOurs } from './ours.ts';
import { startPostgres } from './postgres.ts';
import { cpuTime, type Running } from './processes.ts';
import { seedOurs } from './seed.ts';
import { median } from './table.ts';

/**
 * Measures the cost of authenticating a request, and how much clients that guess passwords slow down other clients.
 */

const rounds = 5;
const seconds = 4;
const readers = 16;
const guessers = 4;

/**
 * The password-guessing clients use a different local address, because the server counts failed log-ins per address.
 */
const elsewhere = '127.0.0.2';

const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** Measures the CPU time of identifying a caller whose credentials are cached, in microseconds. */
async function costOfIdentify(databaseUrl: string): Promise<number> {
  const database = createDatabase(connectServer(databaseUrl, 300));
  const services = {
    database,
    secrets: createSecrets('a key that is long enough', undefined),
    attempts: createLoginAttempts(10),
    config: readConfig({}),
    identityProviders: [],
    journal: createJournal(database, () => {}),
  };
  const authentication = createAuthentication(services, createOidcClients([]));
  const step = identify(authentication, '');
  const identifyOnce = () =>
    new Promise<void>((resolve, reject) => {
      const request = { headers: { authorization }, query: {}, originalUrl: '/api/v1/id/x', ip: '127.0.0.1' };
      const response = { locals: { progress: { start: 0, meter: newMeter(), graphql: 0 } } };
      const next: NextFunction = (error?: unknown) => (error ? reject(error) : resolve());
      void Promise.resolve(step(request as unknown as Request, response as unknown as Response, next)).catch(
        reject,
      );
    });
  const run = async (times: number): Promise<number> => {
    const before = process.cpuUsage();
    for (let time = 0; time < times; time += 1) await identifyOnce();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / times;
  };
  await run(50_000);
  const costs: number[] = [];
  for (let round = 0; round < rounds; round += 1) costs.push(await run(50_000));
  await database.close();
  return median(costs);
}

/** Reads documents with one connection per reader. The result includes the CPU time per read, in microseconds. */
async function read({ url, pid }: Running, ids: Ids): Promise<Result & { cpu: number }> {
  const before = await cpuTime(pid);
  const result = await drive({
    url,
    authorization,
    seconds,
    pace: { connections: readers },
    next: requests('reads', ids),
  });
  const after = await cpuTime(pid);
  // On a busy machine the event loop can be delayed, in which case the server rejects requests with 503.
  const wrong = [...result.statuses].filter(([status]) => status !== 200 && status !== 503);
  if (wrong.length > 0)
    throw new Error(`the readers received the statuses ${wrong.map(([status]) => status).join(', ')}`);
  return {
    ...result,
    cpu: (((after ?? Number.NaN) - (before ?? Number.NaN)) * 1000) / (result.goodput * seconds),
  };
}

/**
 * Functions that return the credentials for a guess: always for the same account, or for a different account each time.
 */
const guesses = {
  'one account': () => basic('Administrator', 'wrong'),
  'any account': (count: number) => basic(`nobody-${count}`, 'wrong'),
} as const;
type Guess = keyof typeof guesses;

interface Order extends Pick<Load, 'url'> {
  readonly guess: Guess;
}

/** Guesses passwords until the process ends. When asked, reports the number of responses with each status. */
async function guessOn({ url, guess }: Order): Promise<void> {
  let count = 0;
  const next = () => {
    count += 1;
    return { method: 'GET', path: '/api/v1/path/', authorization: guesses[guess](count) } as const;
  };
  const result = await drive({
    url,
    authorization: '',
    from: elsewhere,
    seconds: seconds + 1,
    pace: { connections: guessers },
    next,
  });
  process.send?.(result.statuses);
}

async function compareOnce(server: Running, ids: Ids, guess: Guess) {
  const alone = await read(server, ids);
  const child = fork(fileURLToPath(import.meta.url), ['guess'], {
    execArgv: ['--import', 'tsx'],
    serialization: 'advanced',
  });
  atEnd(async () => child.kill());
  await once(child, 'message');
  child.send({ url: server.url, guess } satisfies Order);
  const attacked = await read(server, ids);
  const [statuses] = (await once(child, 'message')) as [Result['statuses']];
  child.disconnect();
  const again = await read(server, ids);
  const part = (key: 'goodput' | 'cpu') => attacked[key] / ((alone[key] + again[key]) / 2);
  return { ratio: part('goodput'), cpu: part('cpu'), alone, statuses };
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const databaseUrl = await (await startPostgres()).createDatabase();
  const server = await startOurs({ DATABASE_URL: databaseUrl, DATA_DIR: folder });
  console.error('creating 20,400 documents');
  await seedOurs(databaseUrl);
  const ids = await readIds(server.url);
  await read(server, ids);
  const cpu: number[] = [];
  for (const guess of Object.keys(guesses) as Guess[]) {
    const [ratios, cpus]: [number[], number[]] = [[], []];
    let told: Result['statuses'] = new Map();
    for (let round = 0; round < rounds; round += 1) {
      const { ratio, cpu: part, alone, statuses } = await compareOnce(server, ids, guess);
      ratios.push(ratio);
      cpus.push(part);
      cpu.push(alone.cpu);
      told = statuses;
    }
    const range = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
    const answered = [...told].map(([status, count]) => `${count} × ${status}`).join(', ');
    console.log(
      `${guessers} connections guess passwords of ${guess}: ${readers} readers reach ${median(ratios).toFixed(2)} ` +
        `of their rate (${range}), and their requests take ${median(cpus).toFixed(2)} of the CPU time; ` +
        `responses to the guesses of the last round: ${answered}`,
    );
  }
  const [whole, identified] = [median(cpu), await costOfIdentify(databaseUrl)];
  console.log(
    `reading by id takes ${whole.toFixed(0)} µs of CPU time, of which authentication takes ${identified.toFixed(1)} µs: ` +
      `${((identified / (whole - identified)) * 100).toFixed(1)} % more than without authentication`,
  );
}

if (process.argv[2] === 'guess') {
  process.send?.('ready');
  const [order] = (await once(process, 'message')) as [Order];
  await guessOn(order);
} else await toTheEnd(main);
