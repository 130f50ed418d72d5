import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { atEnd, toTheEnd } from './closing.ts';
import { nothingSeen, read, type Seen, type Writer, write } from './nodes/clients.ts';
import { startHaproxy } from './nodes/haproxy.ts';
import { createNode, type Node } from './nodes/node.ts';
import { basic, makeUser } from './nodes/users.ts';
import { type Cluster, execute, startCluster } from './postgres.ts';
import { freePort } from './processes.ts';

/** Three nodes behind haproxy, on a PostgreSQL with a replica, of which one thing after the other is taken away. */
const writers = 6;
const readers = 2;

/** Milliseconds of load before and after each event; and for which the replica is away. */
const quiet = 15_000;
const away = 30_000;

/** Seconds within which writes are back after a promotion. */
const longestOutage = 15;

const replicaName = 'replica';

/** As tools that watch replicas do: without one that follows, no write waits for it. */
async function setSynchronous({ url }: Cluster, isOn: boolean): Promise<void> {
  await execute(url, `ALTER SYSTEM SET synchronous_standby_names = '${isOn ? replicaName : ''}'`);
  await execute(url, 'SELECT pg_reload_conf()');
}

async function untilStreaming({ url }: Cluster): Promise<void> {
  while ((await execute(url, `SELECT FROM pg_stat_replication WHERE state = 'streaming'`)).length === 0)
    await wait(100);
}

interface Servers {
  readonly primary: Cluster;
  readonly replica: Cluster;
  readonly nodes: readonly Node[];
  readonly url: string;
}

async function startServers(): Promise<Servers> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const settings = {
    shared_preload_libraries: 'pg_stat_statements',
    wal_keep_size: '512MB',
    max_connections: '300',
  };
  const primary = await startCluster({ settings });
  await execute(primary.url, 'CREATE EXTENSION pg_stat_statements');
  const replica = await startCluster({ settings, replica: { of: primary, name: replicaName } });
  await untilStreaming(primary);
  await setSynchronous(primary, true);
  const hosts = [primary, replica].map(({ url }) => new URL(url).host).join(',');
  const ports = await Promise.all([freePort(), freePort(), freePort()]);
  const nodes = ports.map((port) =>
    createNode(port, {
      DATA_DIR: folder,
      DATABASE_URL: primary.url.replace(/@[^/]*/, `@${hosts}`),
      DATABASE_REPLICA_URLS: replica.url,
      WORKERS: '2',
      DRAIN_SECONDS: '3',
      LOG_LEVEL: 'info',
    }),
  );
  for (const node of nodes) await node.start();
  return { primary, replica, nodes, url: await startHaproxy(folder, ports) };
}

/** Statements that the primary has run, by their names or beginnings, but for what each process asks each second. */
const statementsQuery = `
  SELECT sum(calls)::int AS calls, left(query, 60) AS text FROM pg_stat_statements
  WHERE query NOT LIKE '%pg_current_wal_insert_lsn%' AND query NOT LIKE '%pg_stat_statements%'
    AND query NOT IN ('SELECT $1', 'SELECT 1', 'LISTEN quire')
  GROUP BY 2 ORDER BY 1 DESC LIMIT 20`;

type Statements = Array<{ calls: number; text: string }>;

/** What readers alone cost the primary. */
async function readAlone({ primary, url }: Servers, paths: readonly string[]): Promise<void> {
  const seen = nothingSeen();
  let isOver = false;
  const load = Promise.all(
    Array.from({ length: readers }, (_, index) =>
      read(url, `reader${index}`, paths, { seen: () => seen, isOver: () => isOver }),
    ),
  );
  await wait(quiet / 3); // log-ins
  await execute(primary.url, 'SELECT pg_stat_statements_reset()');
  const before = seen.statuses.get(200) ?? 0;
  await wait(quiet);
  const statements = (await execute(primary.url, statementsQuery)) as Statements;
  const count = (seen.statuses.get(200) ?? 0) - before;
  isOver = true;
  await load;
  console.log(`readers alone: ${count} reads and searches; statements of the primary meanwhile:`);
  for (const { calls, text } of statements) console.log(`  ${calls} × ${text.replaceAll(/\s+/g, ' ')}`);
}

interface Part {
  readonly name: string;
  /** Whether a 503 is a fault. */
  readonly isSmooth: boolean;
  readonly happen: () => Promise<string | undefined>;
}

const partsOf = ({ primary, replica, nodes }: Servers, isWritten: () => Promise<void>): Part[] => [
  { name: 'nothing', isSmooth: true, happen: async () => undefined },
  {
    name: 'a node is killed',
    isSmooth: false,
    happen: async () => {
      await nodes[0]?.end('SIGKILL');
      await wait(5_000);
      await nodes[0]?.start();
      return undefined;
    },
  },
  {
    name: 'a node gets SIGTERM',
    isSmooth: true,
    happen: async () => {
      await nodes[1]?.end('SIGTERM');
      await wait(2_000);
      await nodes[1]?.start();
      return undefined;
    },
  },
  {
    name: 'all nodes get SIGUSR2',
    isSmooth: true,
    happen: async () => void (await Promise.all(nodes.map((node) => node.roll()))),
  },
  {
    name: `the replica is stopped for ${away / 1000} s`,
    isSmooth: false,
    happen: async () => {
      await setSynchronous(primary, false);
      await replica.stop('fast');
      await wait(away);
      await replica.start();
      await untilStreaming(primary);
      await setSynchronous(primary, true);
      return undefined;
    },
  },
  {
    name: 'the primary is killed, the replica promoted',
    isSmooth: false,
    happen: async () => {
      await primary.stop('immediate');
      await wait(3_000);
      await replica.promote();
      const promoted = performance.now();
      await isWritten();
      const seconds = (performance.now() - promoted) / 1000;
      const text = `writes are back after ${seconds.toFixed(1)} s`;
      return seconds > longestOutage ? `FAULT: ${text}` : text;
    },
  },
];

/** The documents and titles that were acknowledged, and are not there. */
async function lost(url: string, all: readonly Writer[]): Promise<string[]> {
  const missing: string[] = [];
  for (const { user, path, acknowledged, uploads } of all) {
    const get = (below: string) =>
      fetch(`${url}/api/v1/path${below}`, { headers: { authorization: basic(user) } });
    const { title } = (await (await get(path)).json()) as { title: string };
    if (Number(title.split('-').at(-1)) < acknowledged) missing.push(`${title} of ${acknowledged}`);
    for (const name of uploads) if ((await get(`${path}/${name}/@blob`)).status !== 200) missing.push(name);
  }
  return missing;
}

function faultsOf({ name, isSmooth }: Part, { statuses, old }: Seen): string[] {
  const bad = [...statuses].filter(([status]) => status >= 300 || status === 0);
  const wrong = bad.filter(([status]) => isSmooth || status !== 503);
  const faults = wrong.map(([status, count]) => `${name}: ${count} × ${status || 'no answer'}`);
  return old > 0 ? [...faults, `${name}: ${old} reads older than the own write`] : faults;
}

async function main(): Promise<void> {
  const servers = await startServers();
  const { url } = servers;
  const all: Writer[] = [];
  for (let index = 0; index < writers; index += 1) {
    const user = `writer${index}`;
    all.push({ user, path: await makeUser(url, user), acknowledged: 0, sent: 0, uploads: [] });
  }
  for (let index = 0; index < readers; index += 1) await makeUser(url, `reader${index}`);
  const paths = all.map(({ path }) => path);
  await readAlone(servers, paths);

  let seen = nothingSeen();
  let isOver = false;
  const state = { seen: () => seen, isOver: () => isOver };
  const load = Promise.all([
    ...all.map((writer, index) => write(url, writer, { ...state, keepsCookies: index % 2 === 0 })),
    ...Array.from({ length: readers }, (_, index) => read(url, `reader${index}`, paths, state)),
  ]);
  const acknowledged = (): number => all.reduce((sum, writer) => sum + writer.acknowledged, 0);
  const isWritten = async (): Promise<void> => {
    for (const before = acknowledged(); acknowledged() === before; ) await wait(20);
  };
  const faults: string[] = [];
  for (const part of partsOf(servers, isWritten)) {
    seen = nothingSeen();
    await wait(quiet / 2);
    const remark = await part.happen();
    await wait(quiet);
    const told = [...seen.statuses]
      .map(([status, count]) => `${count} × ${status || 'no answer'}`)
      .join(', ');
    const { old, longest } = seen;
    console.log(
      `${part.name}: ${told}; ${old} old reads; longest ${(longest / 1000).toFixed(1)} s${remark ? `; ${remark}` : ''}`,
    );
    faults.push(...faultsOf(part, seen), ...(remark?.startsWith('FAULT') ? [remark] : []));
  }
  isOver = true;
  await load;
  const missing = await lost(url, all);
  const files = all.reduce((sum, { uploads }) => sum + uploads.length, 0);
  console.log(`${acknowledged()} titles and ${files} files were acknowledged, ${missing.length} are lost`);
  for (const fault of [...faults, ...missing.map((name) => `lost: ${name}`)]) console.log(`FAULT: ${fault}`);
  process.exitCode = faults.length + missing.length === 0 ? 0 : 1;
}

await toTheEnd(main);
