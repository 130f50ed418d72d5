import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { atEnd, toTheEnd } from './closing.ts';
import { filesInFolders } from './files-in-folders.ts';
import { type Contender, load, type RowRequest } from './load.ts';
import { authorization, isIndexed, startOurs } from './ours.ts';
import { execute, startPostgres } from './postgres.ts';
import { findReleases } from './releases.ts';
import { newFile } from './rows.ts';
import { median } from './table.ts';

/**
 * Measures how long it takes to list a very large folder, and how much a change of its ACL slows down other users.
 */

const perFolder = 99;
const holders = 500;
const rounds = 3;
/** The maximum time for the first page, in milliseconds, and for changing the ACL, in seconds. */
const goals = { page: 100, change: 3 };

const workspaces = '/default-domain/workspaces';
const flat = `${workspaces}/flat`;
const big = `${workspaces}/big`;
const reader = { username: 'reader', password: 'reader' };
const asReader = { authorization: `Basic ${Buffer.from('reader:reader').toString('base64')}` };

interface Server {
  readonly url: string;
  readonly pid: number;
  readonly databaseUrl: string;
}

async function setAcl({ url }: Server, path: string, permissions: readonly string[]): Promise<void> {
  const query = 'mutation ($path: String!, $aces: [NewAce!]!) { setAcl(path: $path, aces: $aces) { uid } }';
  const aces = permissions.map((permission) => ({ username: reader.username, permission }));
  const headers = { authorization, 'content-type': 'application/json' };
  const body = JSON.stringify({ query, variables: { path, aces } });
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body });
  const answer = (await response.json()) as { errors?: unknown };
  if (answer.errors) throw new Error(JSON.stringify(answer.errors));
}

async function send(server: Server, path: string, options: RequestInit = {}): Promise<void> {
  const response = await fetch(`${server.url}/api/v1${path}`, options);
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
}

const post = (server: Server, path: string, body: string): Promise<void> =>
  send(server, path, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body,
  });

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
};

async function timesOf(count: number, work: () => Promise<unknown>, before?: () => Promise<unknown>) {
  const times: number[] = [];
  for (let time = 0; time < count; time += 1) {
    await before?.();
    times.push((await seconds(work)) * 1000);
  }
  return times.sort((a, b) => a - b);
}

const isMissed = (found: number, goal: number): string => {
  if (found <= goal) return '';
  process.exitCode = 1;
  return ', LOW';
};

/** Measures the first page of a very large folder, initially and after each new child is added. */
async function measurePage(server: Server, children: number): Promise<void> {
  const page = () => send(server, `/path${flat}/@children`, { headers: asReader });
  const [first = Number.NaN] = await timesOf(1, page);
  const again = await timesOf(30, page);
  const changed = await timesOf(10, page, () => post(server, `/path${flat}`, newFile()));
  const most = Math.max(first, again.at(-1) ?? 0, changed.at(-1) ?? 0);
  console.log(
    `the first page of ${children} children: ${first.toFixed(0)} ms for the first request, then ${median(again).toFixed(0)} (at most ` +
      `${again.at(-1)?.toFixed(0)}), after each new child ${median(changed).toFixed(0)} (at most ` +
      `${changed.at(-1)?.toFixed(0)}); goal ${goals.page}${isMissed(most, goals.page)}`,
  );
}

/** Keeps one database connection busy for some seconds without holding any locks. */
const compute = (databaseUrl: string, duration: number): Promise<unknown> =>
  execute(
    databaseUrl,
    `DO $$ DECLARE finish timestamptz := clock_timestamp() + interval '${duration} s'; BEGIN
      WHILE clock_timestamp() < finish LOOP PERFORM count(*) FROM generate_series(1, 10000); END LOOP;
    END $$`,
  );

/**
 * Searches ten times a second as the reader.
 * @returns a function that stops the searches and returns their times in milliseconds
 */
function startSearching(server: Server): () => Promise<number[]> {
  const query = encodeURIComponent(
    `SELECT * FROM Document WHERE ecm:path STARTSWITH '${big}' ORDER BY dc:title`,
  );
  const times: number[] = [];
  let isOver = false;
  const searching = (async () => {
    while (!isOver) {
      times.push(
        (await seconds(() => send(server, `/search/execute?query=${query}`, { headers: asReader }))) * 1000,
      );
      await wait(100);
    }
  })();
  return async () => {
    isOver = true;
    await searching;
    return times.sort((a, b) => a - b);
  };
}

/**
 * Changes the ACL repeatedly. Prints the readers' median times before the changes, during the changes, and, for
 * comparison, while another database connection is busy computing.
 */
async function measureChange(name: string, server: Server, requests: readonly RowRequest[]): Promise<void> {
  const readers: Contender = { pid: server.pid, base: `${server.url}/api/v1`, headers: asReader };
  const change = (round: number) =>
    seconds(() => setAcl(server, big, round % 2 === 0 ? ['Read'] : ['Read', 'Version']));
  const indexed = () => seconds(() => isIndexed(readers.base, 600));
  await load(readers, requests, 2);
  const alone = await change(1);
  const index = await indexed();
  const found = {
    took: [] as number[],
    ratio: [] as number[],
    held: [] as number[],
    p99: [] as number[],
    search: [] as number[],
  };
  for (let round = 0; round < rounds; round += 1) {
    const window = Math.max(1, Math.floor(alone));
    const before = await load(readers, requests, window);
    const computed = compute(server.databaseUrl, window + 1);
    const beside = await load(readers, requests, window);
    await computed;
    const stopSearching = startSearching(server);
    const changed = change(round);
    const meanwhile = await load(readers, requests, window);
    found.took.push(await changed);
    found.search.push((await stopSearching()).at(-1) ?? Number.NaN);
    found.ratio.push(meanwhile.perSecond / before.perSecond);
    found.held.push(meanwhile.perSecond / beside.perSecond);
    found.p99.push(meanwhile.p99);
    await indexed();
  }
  const took = median(found.took);
  console.log(
    `${name}: ${alone.toFixed(1)} s without readers, indexed ${index.toFixed(1)} s later; ${took.toFixed(1)} s with readers, ` +
      `goal ${goals.change}${isMissed(took, goals.change)}; reads at ${median(found.ratio).toFixed(2)} of the rate ` +
      `before, ${median(found.held).toFixed(2)} of the rate next to a computing connection, p99 ` +
      `${median(found.p99).toFixed(0)} ms; the slowest search ${Math.max(...found.search).toFixed(0)} ms`,
  );
}

const folderNamed = (name: string): string =>
  JSON.stringify({ 'entity-type': 'document', name, type: 'Folder', properties: {} });

async function main(): Promise<void> {
  const options = {
    documents: { type: 'string', default: '200000' },
    node: { type: 'string', default: '24' },
  } as const;
  const { values } = parseArgs({ options });
  const documents = Number(values.documents);
  const folders = documents / (perFolder + 1);
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const [release] = await findReleases([values.node]);
  const databaseUrl = await (await startPostgres()).createDatabase();
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: folder };
  const server = { ...(await startOurs(settings, release && { node: release.program })), databaseUrl };
  const user = { 'entity-type': 'user', id: reader.username, properties: reader };
  await post(server, '/user', JSON.stringify(user));
  for (const name of ['flat', 'big']) await post(server, `/path${workspaces}`, folderNamed(name));
  for (const path of [flat, big]) await setAcl(server, path, ['Read']);
  console.error(
    `creating ${documents} children of a folder, and ${documents} documents in ${folders} subfolders of another`,
  );
  await execute(databaseUrl, filesInFolders(flat, 1, documents));
  await execute(
    databaseUrl,
    `UPDATE document SET parent_id = f.id, ancestor_ids = f.ancestor_ids || f.id, path = f.path || '/' || document.name
     FROM document f WHERE f.path = '${flat}' AND document.path LIKE '${flat}/folder-1/%'`,
  );
  await execute(databaseUrl, filesInFolders(big, folders, perFolder));
  await execute(databaseUrl, 'VACUUM ANALYZE');
  if (!(await isIndexed(`${server.url}/api/v1`, 900))) throw new Error('the index has not caught up');
  await measurePage(server, documents);

  const rows = await execute(
    databaseUrl,
    `SELECT id FROM document WHERE path LIKE '${big}/%' AND type = 'File' LIMIT 5000`,
  );
  const requests = (rows as Array<{ id: string }>).map(({ id }) => ({ path: `/id/${id}` }));
  await measureChange(`a change of the ACL of ${documents} documents`, server, requests);
  console.error(`giving ${holders} of the folders their own ACL`);
  for (let index = 1; index <= holders; index += 1)
    await setAcl(server, `${big}/folder-${index}`, ['ReadWrite']);
  await measureChange(`the same with ${holders} more ACLs below it`, server, requests);
}

await toTheEnd(main);
