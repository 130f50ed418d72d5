import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { atEnd, toTheEnd } from './closing.ts';
import { attack, isFault, type Order, type Sent, type Told } from './hostile/attacker.ts';
import { type Sample, type Work, work } from './hostile/bystanders.ts';
import {
  type CpuTimes,
  cpuShares,
  type Held,
  type Ran,
  report,
  type Seen,
  slowest,
  worst,
} from './hostile/report.ts';
import { startOurs } from './ours.ts';
import { startPostgres } from './postgres.ts';
import { cpuTime, cpuTimeOfAll, memory, threadTime } from './processes.ts';

/** Measures how one user who sends the largest and most hostile requests possible affects the other users. */

const { values, positionals } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    repeat: { type: 'string', default: '1' },
    each: { type: 'string', default: '1' },
    quiet: { type: 'string', default: '20' },
    minutes: { type: 'string', default: '20' },
    listing: { type: 'string', default: '300' },
    worst: { type: 'string', default: '12' },
    trace: { type: 'string' },
    profile: { type: 'string' },
  },
  allowPositionals: true,
});

/** How long to wait before measuring the memory of the idle server, in milliseconds. */
const idling = 5_000;

const now = (): number => performance.timeOrigin + performance.now();

/** The server CPU time of a request, in milliseconds, above which the request is printed immediately. */
const slow = 500;

const lineOf = ({ family, name, status, cpu, text }: Sent): string =>
  `${status}, ${cpu} ms of CPU: ${family}: ${name} ${text.slice(0, 300)}`;

/**
 * Starts a process for a role. The hostile user and the other users have separate processes, so that sending large
 * bodies does not delay the other users' requests. The hostile process has the lowest priority, because a real
 * attacker would use another computer.
 */
function elsewhere<Message>(role: 'attack' | 'work', onMessage: (message: Message) => void): ChildProcess {
  const node = [process.execPath, '--import', 'tsx'];
  const [execPath = '', ...execArgv] = role === 'attack' ? ['nice', '-n', '19', ...node] : node;
  const program = fileURLToPath(import.meta.url);
  const child = fork(program, [role], { execPath, execArgv, serialization: 'advanced' });
  atEnd(async () => child.kill());
  child.on('message', (message) => onMessage(message as Message));
  return child;
}

/** Resolves with the first message of the given kind. @throws Error if the process ends first */
function told<Is extends Told['is']>(child: ChildProcess, is: Is): Promise<Extract<Told, { is: Is }>> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: Told) => {
      if (message.is === is) resolve(message as Extract<Told, { is: Is }>);
    });
    child.once('exit', (code) =>
      reject(new Error(`the process of the hostile user exited with code ${code}`)),
    );
  });
}

/** Records the memory of a process. @returns a function that stops the recording */
function watchMemory(pid: number, held: Held[]): () => void {
  const timer = setInterval(() => {
    void memory(pid).then((megabytes) => {
      if (megabytes !== undefined) held.push({ at: now(), megabytes });
    });
  }, 100);
  return () => clearInterval(timer);
}

/**
 * Selects the statements of other connections that are running, or that are waiting for a lock or for their client.
 */
const running = `SELECT left(query, 200) AS text, wait_event AS "waitsFor"
  FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()
    AND query_start < clock_timestamp() - interval '20 milliseconds'`;

/** Records the statements that the database runs. @returns a function that stops the recording */
async function watchStatements(connectionString: string, ran: Ran[]): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const look = async (): Promise<void> => {
    const at = now();
    for (const row of (await client.query({ name: 'running', text: running })).rows) ran.push({ at, ...row });
  };
  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
  }, 50);
  return async () => {
    clearInterval(timer);
    await looking;
    await client.end();
  };
}

/** Finds the main process of the PostgreSQL server, from which all its other processes descend. */
async function postmasterOf(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  const status = await readFile(`/proc/${rows[0].pid}/status`, 'utf8');
  await client.end();
  return Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1]);
}

/** The ids of the processes whose CPU time is measured. */
interface Pids {
  readonly server: number;
  readonly postmaster: number;
  readonly attacker: number;
  readonly bystander: number;
}

async function readCpuTimes(pids: Pids): Promise<CpuTimes> {
  const server = (await cpuTimeOfAll(pids.server)) ?? 0;
  const main = threadTime(pids.server)?.cpu ?? 0;
  return {
    at: now(),
    main,
    rest: server - main,
    postgres: (await cpuTimeOfAll(pids.postmaster)) ?? 0,
    attacker: (await cpuTime(pids.attacker)) ?? 0,
    others: (await cpuTime(pids.bystander)) ?? 0,
    bench: (await cpuTime(process.pid)) ?? 0,
  };
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const databaseUrl = await (await startPostgres()).createDatabase();
  const nodeOptions = values.profile ? ['--cpu-prof', `--cpu-prof-dir=${values.profile}`] : [];
  const onLog = (line: string) => console.error(`The server logged an error: ${line.slice(0, 2_000)}`);
  const server = await startOurs({ DATABASE_URL: databaseUrl, DATA_DIR: folder }, { nodeOptions, onLog });
  const { url, pid } = server;
  await wait(idling);
  const idle = (await memory(pid)) ?? Number.NaN;

  const [sent, samples, held, ran]: [Sent[], Sample[], Held[], Ran[]] = [[], [], [], []];
  const order: Order = {
    url,
    pid,
    only: values.only,
    repeat: Number(values.repeat),
    each: Number(values.each),
    minutes: Number(values.minutes),
    listing: Number(values.listing),
  };
  const attacker = elsewhere('attack', (message: Told) => {
    if (message.is === 'begins') void readTimes(message.family);
    if (message.is !== 'sent') return;
    sent.push(message.sent);
    if (message.sent.cpu > slow || isFault(message.sent)) console.error(lineOf(message.sent));
    if (sent.length % 200 === 0) console.error(`${sent.length} hostile requests, ${message.sent.name}`);
  });
  attacker.send(order);
  const { other } = await told(attacker, 'laid');
  const bystander = elsewhere('work', (some: Sample[]) => samples.push(...some));
  bystander.send({ url, pid, folder: other } satisfies Work);
  const pids = {
    server: pid,
    postmaster: await postmasterOf(databaseUrl),
    attacker: attacker.pid ?? 0,
    bystander: bystander.pid ?? 0,
  };
  const times: { readonly family: string; readonly times: Promise<CpuTimes> }[] = [];
  const readTimes = (family: string) => times.push({ family, times: readCpuTimes(pids) });
  const stopWatching = watchMemory(pid, held);
  const stopWatchingStatements = await watchStatements(databaseUrl, ran);
  await wait(2_000); // Waits until the server has warmed up.
  const start = now();
  readTimes('None');
  await wait(Number(values.quiet) * 1_000);
  const quiet = [start, now()] as const;

  readTimes('');
  const done = told(attacker, 'done');
  attacker.send('begin');
  const { unsent } = await done;
  readTimes('');
  await wait(2_000);
  const stopped = once(bystander, 'exit');
  bystander.send('stop');
  await stopped;
  stopWatching();
  await stopWatchingStatements();

  const seen: Seen = { sent, samples, memory: held, ran, idle, quiet };
  if (values.trace) await writeFile(values.trace, JSON.stringify(seen));
  const { table, misses } = report(seen);
  console.log(table);
  console.log('\nShare of one CPU that each part used:');
  for (const line of cpuShares(
    await Promise.all(times.map(async (one) => ({ ...one, times: await one.times }))),
  ))
    console.log(`  ${line}`);
  console.log(`\nThe idle server held ${idle.toFixed(0)} MB. The most expensive hostile requests:`);
  for (const line of worst(seen, Number(values.worst))) console.log(`  ${line}`);
  console.log(
    '\nThe slowest requests of other users, and what the server and the database were doing at that time:',
  );
  for (const line of slowest(seen, Number(values.worst))) console.log(`  ${line}`);
  if (unsent > 0) misses.push(`${unsent} hostile requests were not sent within ${values.minutes} minutes`);
  if (misses.length === 0) console.log('\nAll goals were met.');
  else console.log(`\nMissed goals:\n  ${misses.join('\n  ')}`);
  await server.stop();
  if (misses.length > 0) process.exitCode = 1;
}

const [role] = positionals;
if (role === 'attack') {
  const [order] = (await once(process, 'message')) as [Order];
  await attack(order, (message) => process.send?.(message), once(process, 'message'));
  process.disconnect();
} else if (role === 'work') {
  const [ordered] = (await once(process, 'message')) as [Work];
  const stop = work(ordered, (some) => process.send?.(some));
  await once(process, 'message');
  await stop();
  process.disconnect();
} else await toTheEnd(main);
