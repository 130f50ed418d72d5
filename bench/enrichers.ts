import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { atEnd, toTheEnd } from './closing.ts';
import { filesInFolders } from './files-in-folders.ts';
import type { Contender } from './load.ts';
import { authorization, startOurs } from './ours.ts';
import { execute, startPostgres } from './postgres.ts';
import { type Running, startRival } from './processes.ts';
import { type Compared, type Competitor, compare, fiveEnrichers } from './rows.ts';
import { type Entity, readAll, seedOurs } from './seed.ts';
import { seedEnrichedRival, seedThousand } from './seed-enriched.ts';
import { belowGoal, comparedTable, median } from './table.ts';

type Headers = Readonly<Record<string, string>>;

const plan = { rounds: 5, seconds: 4, warmUp: 5 };

const flat: Headers = { ...fiveEnrichers, depth: 'root' };
const fetched: Headers = { 'fetch.document': 'properties' };
const onPage: Headers = {
  'enrichers.document': 'permissions,tags,hasContent',
  'fetch.document': 'dc:creator',
};

/** The headers that a browser application sends with each request for a page of documents. */
const browser: Headers = {
  'enrichers.document': 'permissions,tags,favorites,breadcrumb,hasContent',
  'fetch.document': 'properties',
  'fetch.directoryEntry': 'parent',
  'translate.directoryEntry': 'label',
};

async function get(address: string, headers: Headers = {}): Promise<Record<string, unknown>> {
  const response = await fetch(address, { headers: { authorization, ...headers } });
  if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}

/** A response that is compared with the hand-written server's response, which has a different address. */
interface Answer {
  readonly name: string;
  readonly rival: string;
  readonly asks: 'documents' | 'pages';
  readonly query?: string;
  readonly headers: Headers;
  readonly goal: number;
}

const answers: readonly Answer[] = [
  { name: 'five enrichers', rival: '/enriched', asks: 'documents', headers: fiveEnrichers, goal: 0.6 },
  { name: 'five enrichers with depth=root', rival: '/flat', asks: 'documents', headers: flat, goal: 0.6 },
  { name: 'all fetch properties', rival: '/fetched', asks: 'documents', headers: fetched, goal: 0.6 },
  { name: 'an enriched page of 50', rival: '/creators', asks: 'pages', headers: onPage, goal: 0.55 },
  {
    name: 'a page of 40 for a browser application',
    rival: '/browser',
    asks: 'pages',
    query: '?pageSize=40',
    headers: browser,
    goal: 0.55,
  },
];

/** Prints a table of comparisons. The run fails if a ratio is below its goal. */
function print(compared: readonly Compared[]): void {
  console.log(`${comparedTable(compared)}\n`);
  const below = belowGoal(compared);
  if (below.length > 0) process.exitCode = 1;
  for (const name of below) console.log(`LOW ${name}`);
}

/** Compares the time that Quire takes for a response with the time that the hand-written server takes. */
function compareWithRival(
  { name, rival, asks, query = '', headers, goal }: Answer,
  [ours, hand]: readonly [Competitor, Competitor],
  documents: readonly Entity[],
): Promise<Compared> {
  const requests = (all: readonly Entity[]) =>
    asks === 'documents'
      ? all.map(({ uid }) => ({ path: `/id/${uid}` }))
      : all
          .filter(({ type }) => type === 'Folder')
          .map(({ uid }) => ({ path: `/id/${uid}/@children${query}` }));
  const row = { key: rival, name, goals: { [hand.name]: goal }, headers, requests };
  const servers = [ours, { ...hand, base: `${hand.base}${rival}` }];
  return compare(row, { servers, documents }, plan);
}

/**
 * Starts the hand-written server. It takes the constant parts of its responses from two responses of Quire.
 */
async function startEnrichedRival(databaseUrl: string, base: string, folder: Entity): Promise<Running> {
  const page = `${base}/id/${folder.uid}/@children`;
  const { entries, ...creators } = await get(page, onPage);
  const { entries: _, ...browsed } = await get(`${page}?pageSize=40`, browser);
  const [first] = entries as Array<{ contextParameters: { permissions: string[] } }>;
  return startRival(new URL('rival-enriched.ts', import.meta.url), {
    DATABASE_URL: databaseUrl,
    PERMISSIONS: JSON.stringify(first?.contextParameters.permissions),
    ENVELOPES: JSON.stringify({ creators, browser: browsed }),
  });
}

/** Returns the resident memory of a process in MB. */
async function memory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** Returns the longest time that the server's event loop has been blocked since the last call, in milliseconds. */
async function maxBlockedTime({ url }: Running): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization } });
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(await response.text())?.[1]) * 1000;
}

/**
 * The enrichers that are requested for a page of a thousand documents: the five that return the most data, and five
 * that read other documents.
 */
const thousands: readonly Headers[] = [
  { 'enrichers.document': 'acls,permissions,tags,favorites,hasContent' },
  { 'enrichers.document': 'breadcrumb,collections,publications,audit,subtypes' },
];

/** Measures how long a page of 1,000 documents blocks other requests, and how much memory it uses. */
async function measureThousand(ours: Running, headers: Headers): Promise<void> {
  const base = `${ours.url}/api/v1`;
  const { uid } = await get(`${base}/path/default-domain/workspaces/thousand`);
  const address = `${base}/id/${uid}/@children?pageSize=1000`;
  const ask = async () => {
    const { entries } = await get(address, headers);
    if ((entries as unknown[]).length !== 1000) throw new Error('the page does not have 1,000 entries');
  };
  for (let round = 0; round < 3; round += 1) await ask();
  await wait(2_000);
  const before = await memory(ours.pid);
  await maxBlockedTime(ours);
  let highest = before;
  const blocks: number[] = [];
  const start = performance.now();
  for (let round = 0; round < 10; round += 1) {
    const done = ask();
    const look = async () => {
      highest = Math.max(highest, await memory(ours.pid));
    };
    const watching = setInterval(() => void look(), 20);
    await done.finally(() => clearInterval(watching));
    blocks.push(await maxBlockedTime(ours));
  }
  const each = (performance.now() - start) / 10;
  const [block, growth] = [Math.max(...blocks), highest - before];
  if (block > 100 || growth > 100) process.exitCode = 1;
  console.log(
    `${block > 100 || growth > 100 ? 'LOW' : 'ok '} 1,000 documents with ${headers['enrichers.document']}: ` +
      `${each.toFixed(0)} ms, event loop blocked for ${median(blocks).toFixed(0)} ms, at most ${block.toFixed(0)} (goal 100), ` +
      `memory grew ${growth.toFixed(0)} MB (goal 100)`,
  );
}

/** Compares `hasContent` and similar enrichers for a folder with 100,000 files and for a folder with 100 files. */
async function compareFolders(databaseUrl: string, ours: Contender): Promise<Compared> {
  const few = '/default-domain/sections';
  const many = '/default-domain/templates';
  await execute(databaseUrl, filesInFolders(few, 1, 100));
  await execute(databaseUrl, filesInFolders(many, 1, 100_000));
  await execute(databaseUrl, 'VACUUM ANALYZE document');
  // The requests, one for each connection. All of them are the same.
  const requests = (path: string) => Array.from({ length: 16 }, () => ({ path: `/path${path}/folder-1` }));
  const servers = [
    { ...ours, name: 'of 100,000', requests: requests(many) },
    { ...ours, name: 'of 100', requests: requests(few) },
  ];
  const row = {
    key: 'folders',
    name: 'enrichers of a folder with 100,000 files',
    goals: { 'of 100': 0.8 },
    headers: { 'enrichers.document': 'hasContent,hasFolderishChild' },
    requests: () => [],
  };
  return compare(row, { servers, documents: [] }, plan);
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase();
  const running = await startOurs({ DATABASE_URL: databaseUrl, DATA_DIR: folder });
  console.error('creating 21,400 documents, and 20,400 for the rival');
  await seedOurs(databaseUrl);
  await seedThousand(databaseUrl);
  const base = `${running.url}/api/v1`;
  const all = await readAll(base);
  const [first] = all as [Entity];
  const rivalUrl = await postgres.createDatabase();
  await seedEnrichedRival(rivalUrl, all, base);
  const rival = await startEnrichedRival(rivalUrl, base, first);

  const ours = { name: 'Quire', pid: running.pid, base, headers: { authorization } };
  const hand = { name: 'hand-written', pid: rival.pid, base: rival.url, headers: { authorization } };
  const compared: Compared[] = [];
  for (const answer of answers) compared.push(await compareWithRival(answer, [ours, hand], all));
  print(compared);
  await rival.stop();
  if (process.argv.includes('--rival')) return;
  for (const headers of thousands) await measureThousand(running, headers);
  print([await compareFolders(databaseUrl, ours)]);
}

await toTheEnd(main);
