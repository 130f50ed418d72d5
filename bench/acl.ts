import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd, toTheEnd } from './closing.ts';
import { filesInFolders } from './files-in-folders.ts';
import { type Asked, type Contender, load } from './load.ts';
import { authorization, startOurs } from './ours.ts';
import { execute, startPostgres } from './postgres.ts';

/** What changing the ACL of a folder costs that has 100,000 documents below it, and what readers notice of it. */
const folders = 1_000;
const perFolder = 99;
const holders = 500;
const rounds = 3;

const big = '/default-domain/workspaces/big';
const reader = { username: 'reader', password: 'reader' };

interface Server {
  readonly url: string;
  readonly pid: number;
  readonly databaseUrl: string;
}

async function ask({ url }: Server, query: string, variables: object): Promise<void> {
  const headers = { authorization, 'content-type': 'application/json' };
  const body = JSON.stringify({ query, variables });
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body });
  const answer = (await response.json()) as { errors?: unknown };
  if (answer.errors) throw new Error(JSON.stringify(answer.errors));
}

const setAcl = (server: Server, path: string, permissions: readonly string[]): Promise<void> =>
  ask(server, 'mutation ($path: String!, $aces: [NewAce!]!) { setAcl(path: $path, aces: $aces) { uid } }', {
    path,
    aces: permissions.map((permission) => ({ username: reader.username, permission })),
  });

async function post(server: Server, path: string, body: object): Promise<void> {
  const headers = { authorization, 'content-type': 'application/json' };
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
};

/** Keeps one connection to the database busy for some seconds, and holds nothing that anybody could wait for. */
const compute = (databaseUrl: string, duration: number): Promise<unknown> =>
  execute(
    databaseUrl,
    `DO $$ DECLARE finish timestamptz := clock_timestamp() + interval '${duration} s'; BEGIN
      WHILE clock_timestamp() < finish LOOP PERFORM count(*) FROM generate_series(1, 10000); END LOOP;
    END $$`,
  );

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Changes the ACL over and over, with readers before, beside mere computing, and meanwhile; prints the medians. */
async function measure(name: string, server: Server, asked: readonly Asked[]): Promise<void> {
  const basic = Buffer.from(`${reader.username}:${reader.password}`).toString('base64');
  const readers: Contender = {
    pid: server.pid,
    base: `${server.url}/api/v1`,
    headers: { authorization: `Basic ${basic}` },
  };
  await load(readers, asked, 2);
  const alone = await seconds(() => setAcl(server, big, ['Read', 'Version']));
  const found = { took: [] as number[], ratio: [] as number[], held: [] as number[], p99: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    const window = Math.max(1, Math.floor(alone));
    const before = await load(readers, asked, window);
    const computed = compute(server.databaseUrl, window + 1);
    const beside = await load(readers, asked, window);
    await computed;
    const changed = seconds(() => setAcl(server, big, round % 2 === 0 ? ['Read'] : ['Read', 'Version']));
    const meanwhile = await load(readers, asked, window);
    found.took.push(await changed);
    found.ratio.push(meanwhile.perSecond / before.perSecond);
    found.held.push(meanwhile.perSecond / beside.perSecond);
    found.p99.push(meanwhile.p99);
  }
  console.log(
    `${name}: ${alone.toFixed(1)} s alone, ${median(found.took).toFixed(1)} s with readers; reads meanwhile at ` +
      `${median(found.ratio).toFixed(2)} of the rate before, ${median(found.held).toFixed(2)} of the rate beside a ` +
      `connection that computes, p99 ${median(found.p99).toFixed(0)} ms`,
  );
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const databaseUrl = await (await startPostgres()).createDatabase();
  const server = { ...(await startOurs({ DATABASE_URL: databaseUrl, DATA_DIR: folder })), databaseUrl };
  await post(server, '/user', { 'entity-type': 'user', id: reader.username, properties: reader });
  await post(server, '/path/default-domain/workspaces', {
    'entity-type': 'document',
    name: 'big',
    type: 'Folder',
    properties: {},
  });
  await setAcl(server, big, ['Read']);
  console.error(`laying ${folders * (perFolder + 1)} documents`);
  await execute(databaseUrl, filesInFolders(big, folders, perFolder));
  await execute(databaseUrl, 'VACUUM ANALYZE');
  const rows = await execute(databaseUrl, `SELECT id FROM document WHERE type = 'File' LIMIT 5000`);
  const asked = (rows as Array<{ id: string }>).map(({ id }) => ({ path: `/id/${id}` }));

  await measure(`${folders * (perFolder + 1)} documents, one ACL`, server, asked);
  console.error(`giving ${holders} of the folders an ACL of their own`);
  for (let index = 1; index <= holders; index += 1)
    await setAcl(server, `${big}/folder-${index}`, ['ReadWrite']);
  await measure(`${folders * (perFolder + 1)} documents, ${holders + 1} ACLs`, server, asked);
}

await toTheEnd(main);
