import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { atEnd, toTheEnd } from './closing.ts';
import type { RowRequest } from './load.ts';
import { authorization, isIndexed, startOurs } from './ours.ts';
import { startPostgres } from './postgres.ts';
import { bundle } from './processes.ts';
import { findReleases, type Release } from './releases.ts';
import { type Compared, type Competitor, compare, type Row, rows } from './rows.ts';
import { type Entity, readAll, seedOurs } from './seed.ts';
import { comparedTable, range, table } from './table.ts';

/**
 * The requests that are sent to Quire twice: once with Quire's own SQL statements, and once with Prisma Client calls
 * instead (prisma-calls/replace.ts).
 */
const wholeRequests: readonly Row[] = [
  ...rows,
  {
    key: 'acls',
    name: 'a document with its ACLs',
    goals: {},
    headers: { 'enrichers.document': 'acls' },
    requests: (all: readonly Entity[]) => all.map(({ uid }) => ({ path: `/id/${uid}` })),
  },
  {
    key: 'user',
    name: 'a user by id',
    goals: {},
    requests: () => Array.from({ length: 16 }, () => ({ path: '/user/Administrator' })),
  },
  {
    key: 'entry',
    name: 'an entry of a directory by id',
    goals: {},
    requests: () => Array.from({ length: 16 }, () => ({ path: '/directory/nature/report' })),
  },
  { key: 'task', name: 'a task by id', goals: {}, requests: () => [] },
].map((row) => ({ ...row, goals: { 'Prisma Client': null } }));

/** The output of calls.ts: the cost of each call in each round, for each way to make the call. */
type CallCosts = Readonly<
  Record<
    string,
    Readonly<Record<string, ReadonlyArray<{ readonly cpu: number; readonly statements: number }>>>
  >
>;

function callsTable(costs: CallCosts): string {
  const body = Object.entries(costs).flatMap(([name, ways]) =>
    Object.entries(ways).map(([way, rounds], at) => [
      at === 0 ? name : '',
      way,
      range(
        rounds.map(({ cpu }) => cpu),
        3,
      ),
      (rounds[0]?.statements ?? 0).toFixed(1),
    ]),
  );
  return table(['Call', 'by', 'CPU ms', 'statements'], body);
}

async function competitor(
  name: string,
  settings: Parameters<typeof startOurs>[0],
  how: Parameters<typeof startOurs>[1],
): Promise<Competitor & { readonly stop: () => Promise<void> }> {
  const { pid, url, stop } = await startOurs(settings, how);
  const base = `${url}/api/v1`;
  const settle = async (): Promise<void> => {
    if (!(await isIndexed(base, 20))) throw new Error('the search index has not caught up');
  };
  return { name, pid, base, headers: { authorization }, settle, stop };
}

/** Starts a workflow. @returns the request for its first task */
async function taskOf({ base }: Competitor, document: Entity): Promise<RowRequest> {
  const headers = { authorization, 'content-type': 'application/json' };
  const started = {
    'entity-type': 'workflow',
    workflowModelName: 'SerialDocumentReview',
    attachedDocumentIds: [document.uid],
  };
  const response = await fetch(`${base}/workflow`, {
    method: 'POST',
    headers,
    body: JSON.stringify(started),
  });
  const { id } = (await response.json()) as { readonly id: string };
  const tasks = await fetch(`${base}/task?workflowInstanceId=${id}`, { headers });
  const { entries } = (await tasks.json()) as { readonly entries: ReadonlyArray<{ readonly id: string }> };
  return { path: `/task/${entries[0]?.id}` };
}

async function main(): Promise<void> {
  const options = {
    node: { type: 'string', default: '20,24' },
    only: { type: 'string', default: ['calls', ...wholeRequests.map(({ key }) => key)].join() },
    /** The names of the statements to replace; by default, all statements in prisma-calls/replace.ts. */
    replace: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
  } as const;
  const { values } = parseArgs({ options });
  const only = values.only.split(',');
  const plan = { rounds: Number(values.rounds), seconds: Number(values.seconds), warmUp: 2 };
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  // If root starts the database, it runs as another user, who must be able to enter the folder.
  await chmod(folder, 0o711);
  const releases = await findReleases(values.node.split(','));
  const postgres = await startPostgres();
  const laid = await postgres.createDatabase();
  await (await startOurs({ DATABASE_URL: laid, DATA_DIR: join(folder, 'laid') })).stop();
  await seedOurs(laid);
  const calls = await bundle(new URL('prisma-calls/calls.ts', import.meta.url));
  const replaced = pathToFileURL(await bundle(new URL('prisma-calls/replace.ts', import.meta.url)));
  if (values.replace) replaced.searchParams.set('only', values.replace);

  async function measureCalls({ program }: Release): Promise<string> {
    const settings = { DATABASE_URL: await postgres.createDatabase(laid), NODE_ENV: 'production' };
    const env = { PATH: process.env.PATH, ROUNDS: values.rounds, SECONDS: values.seconds, ...settings };
    const { stdout } = await promisify(execFile)(program, [calls], { env });
    return callsTable(JSON.parse(stdout) as CallCosts);
  }

  async function measureRequests({ program: node, version }: Release): Promise<string> {
    const start = async (name: string, nodeOptions: readonly string[]) =>
      competitor(
        name,
        { DATABASE_URL: await postgres.createDatabase(laid), DATA_DIR: join(folder, `${name}-${version}`) },
        { node, nodeOptions },
      );
    const servers = [await start('pg', []), await start('Prisma Client', ['--import', replaced.href])];
    const documents = await readAll(servers[0]?.base ?? '');
    const compared: Compared[] = [];
    for (const row of wholeRequests.filter(({ key }) => only.includes(key))) {
      const file = documents.find(({ type }) => type === 'File');
      if (row.key !== 'task' || !file) compared.push(await compare(row, { servers, documents }, plan));
      else {
        const asking: Competitor[] = [];
        for (const server of servers) {
          const task = await taskOf(server, file);
          asking.push({ ...server, requests: Array.from({ length: 16 }, () => task) });
        }
        compared.push(await compare(row, { servers: asking, documents }, plan));
      }
    }
    await Promise.all(servers.map(({ stop }) => stop()));
    return comparedTable(compared);
  }

  for (const release of releases) {
    console.log(`\nNode ${release.version}:`);
    if (only.includes('calls')) console.log(`\n${await measureCalls(release)}`);
    if (only.some((key) => key !== 'calls')) console.log(`\n${await measureRequests(release)}`);
  }
}

await toTheEnd(main);
