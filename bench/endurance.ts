import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { atEnd, toTheEnd } from './closing.ts';
import { prepare, runClients } from './endurance/clients.ts';
import { growthFaults, measureSizes, type Sizes } from './endurance/sizes.ts';
import { type Ids, readIds } from './mixes.ts';
import { createNode, type Node } from './nodes/node.ts';
import { drive, type Sent } from './open-load.ts';
import { authorization } from './ours.ts';
import { startPostgres } from './postgres.ts';
import { freePort } from './processes.ts';
import { newFile } from './rows.ts';
import { seedOurs } from './seed.ts';

/**
 * Puts a mixed load on two nodes for a long time, at a third of the highest rate, while one of them is killed again and
 * again. Compares the second quarter of the time with the last one.
 */

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '120' },
    /** How often node B is killed, in minutes. */
    kill: { type: 'string', default: '5' },
  },
});

const minutes = Number(values.minutes);
const quarter = (minutes * 60_000) / 4;

/** The limits of the last quarter divided by the second one. */
const [maxMemory, maxP99] = [1.05, 1.2];

const calibrationSeconds = Math.min(20, minutes * 4);

/** Of 50 requests, one creates a document, five read a page of children, and the others read a document. */
function mixedRequests({ files, folders }: Ids): () => Sent {
  let count = 0;
  const any = (ids: readonly string[]): string => ids[(count * 7919) % ids.length] ?? '';
  return () => {
    count += 1;
    if (count % 50 === 0) return { method: 'POST', path: `/api/v1/id/${any(folders)}`, body: newFile() };
    if (count % 10 === 5) return { method: 'GET', path: `/api/v1/id/${any(folders)}/@children` };
    return { method: 'GET', path: `/api/v1/id/${any(files)}` };
  };
}

/**
 * Code that a node runs first: on SIGWINCH, it collects garbage and prints the memory that is still in use. Several
 * collections are needed, because some objects only release others when they are collected.
 */
const memoryReporter = `data:text/javascript,${encodeURIComponent(`
  process.on('SIGWINCH', async () => {
    for (let count = 0; count < 4; count += 1) {
      globalThis.gc();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const { heapUsed, external } = process.memoryUsage();
    console.log('memory in use: ' + (heapUsed + external));
  });
`)}`;

interface ObservedNode {
  readonly node: Node;
  /** Returns the memory that is in use after garbage collection, in bytes. */
  readonly memory: () => Promise<number>;
}

async function createObserved(settings: Readonly<Record<string, string>>): Promise<ObservedNode> {
  let onMemory: (bytes: number) => void = () => {};
  const onLine = (line: string): void => {
    const [, bytes] = /^memory in use: (\d+)$/.exec(line) ?? [];
    if (bytes) onMemory(Number(bytes));
  };
  const options = ['--expose-gc', '--import', memoryReporter];
  const node = createNode(await freePort(), settings, { options, onLine });
  const memory = () =>
    new Promise<number>((resolve) => {
      onMemory = resolve;
      node.signal('SIGWINCH');
    });
  return { node, memory };
}

/** The observations of one quarter. */
interface Quarter {
  /** The response times of node A. */
  readonly times: number[];
  /** The memory of node A at several moments, in bytes. */
  readonly memories: number[];
  sizes: Sizes | undefined;
  uploaded: number;
}

const newQuarter = (): Quarter => ({ times: [], memories: [], sizes: undefined, uploaded: 0 });

const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN;

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** Kills a node at intervals, and starts it again. */
async function killAgain({ node }: ObservedNode, isOver: () => boolean): Promise<number> {
  let kills = 0;
  for (let last = performance.now(); !isOver(); await wait(200)) {
    if (performance.now() - last < Number(values.kill) * 60_000) continue;
    await node.end('SIGKILL');
    kills += 1;
    await wait(5_000);
    await node.start();
    last = performance.now();
  }
  return kills;
}

function compare(quarters: readonly Quarter[]): string[] {
  const [, second = newQuarter(), , last = newQuarter()] = quarters;
  const faults: string[] = [];
  const [memoryBefore, memoryAfter] = [percentile(second.memories, 0.5), percentile(last.memories, 0.5)];
  if (!(memoryAfter <= memoryBefore * maxMemory))
    faults.push(
      `the memory of node A has grown from ${megabytes(memoryBefore)} to ${megabytes(memoryAfter)}`,
    );
  const [before, after] = [percentile(second.times, 0.99), percentile(last.times, 0.99)];
  if (!(after <= before * maxP99))
    faults.push(`the p99 of node A has grown from ${before.toFixed(1)} to ${after.toFixed(1)} ms`);
  if (second.sizes && last.sizes)
    faults.push(...growthFaults(second.sizes, last.sizes, { before: second.uploaded, after: last.uploaded }));
  return faults;
}

function describe(quarter: Quarter, nth: number): string {
  const { times, memories, sizes } = quarter;
  const bytes = [...(sizes?.bytes.values() ?? [])].reduce((sum, each) => sum + each, 0);
  const queues = [...(sizes?.queues ?? [])]
    .filter(([, count]) => count > 1) // Each recurring job is one row.
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
  return (
    `quarter ${nth}: ${times.length} responses of A, p50 ${percentile(times, 0.5).toFixed(1)} ms, ` +
    `p99 ${percentile(times, 0.99).toFixed(1)} ms; memory of A ${megabytes(percentile(memories, 0.5))}; ` +
    `${sizes?.content.documents} documents, ${sizes?.content.entries} log entries, ` +
    `${megabytes(bytes)} in tables, indexes and folders; ${queues || 'empty queues'}`
  );
}

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase();
  const settings = {
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    TOKEN_KEY: 'a key that both nodes share',
    LOG_LEVEL: 'warn',
  };
  const [a, b] = [await createObserved(settings), await createObserved(settings)];
  await a.node.start();
  await b.node.start();
  await seedOurs(databaseUrl);
  const ids = await readIds(a.node.url);
  const next = mixedRequests(ids);
  const load = { authorization, next };
  const loadOf = ({ node }: ObservedNode) => ({ ...load, url: node.url });

  const highest = await Promise.all(
    [a, b].map((each) => drive({ ...loadOf(each), seconds: calibrationSeconds, pace: { connections: 8 } })),
  );
  const rate = highest.reduce((sum, { goodput }) => sum + goodput, 0) / 3;
  console.log(`the highest rate is ${(rate * 3).toFixed(0)}/s; the load is ${rate.toFixed(0)}/s`);

  const failures = new Map<string, number>();
  const faults: string[] = [];
  const isOfB = (url: string): boolean => url === b.node.url;
  const onFailure = (url: string, status: number, text: string): void => {
    const name = `${isOfB(url) ? 'B' : 'A'}: ${status || 'no response'}`;
    failures.set(name, (failures.get(name) ?? 0) + 1);
    if (!(isOfB(url) && (status === 503 || status === 0)) && faults.length < 20)
      faults.push(`${name}: ${text}`);
  };
  const done = new Map<string, number>();
  let isOver = false;
  const work = {
    urls: [a.node.url, b.node.url],
    isOver: () => isOver,
    onFailure,
    onDone: (name: string) => void done.set(name, (done.get(name) ?? 0) + 1),
  };
  await prepare(work);

  const quarters = [newQuarter()];
  const now = (): Quarter => quarters.at(-1) ?? newQuarter();
  const started = performance.now();
  const seconds = (4 * quarter) / 1000;
  const driven = [a, b].map((each) =>
    drive({
      ...loadOf(each),
      seconds,
      pace: { rate: rate / 2 },
      clients: 64,
      onAnswer: (status, took) => {
        if (status < 200 || status >= 300) onFailure(each.node.url, status, 'a request of the mix');
        else if (each === a) now().times.push(took);
      },
    }),
  );
  const clients = runClients(work);
  const killing = killAgain(b, () => isOver);
  for (let nth = 1; nth <= 4; nth += 1) {
    for (let sample = 0; sample < 4; sample += 1) {
      const due = started + quarter * (nth - 1 + (sample + 1) / 4);
      await wait(Math.max(0, due - performance.now()));
      now().memories.push(await a.memory());
    }
    now().sizes = await measureSizes(databaseUrl, dataDir);
    now().uploaded = done.get('uploads') ?? 0;
    console.log(describe(now(), nth));
    if (nth < 4) quarters.push(newQuarter());
  }
  isOver = true;
  const [kills] = await Promise.all([killing, clients, ...driven]);
  const rounds = [...done].map(([name, count]) => `${count} × ${name}`).join(', ');
  console.log(`${rounds}; B was killed ${kills} times`);
  console.log(`failures: ${[...failures].map(([name, count]) => `${count} × ${name}`).join(', ') || 'none'}`);
  faults.push(...compare(quarters));
  for (const fault of faults) console.log(`FAULT: ${fault}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

await toTheEnd(main);
