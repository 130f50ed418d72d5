import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { atEnd, toTheEnd } from './closing.ts';
import { filesInFolders } from './files-in-folders.ts';
import { type Asked, type Contender, load } from './load.ts';
import { authorization, startOurs } from './ours.ts';
import { execute, startPostgres } from './postgres.ts';
import { type Running, startNode } from './processes.ts';
import { type Entity, readAll, seedOurs } from './seed.ts';
import { seedEnrichedRival, seedTags } from './seed-enriched.ts';
import { median } from './table.ts';

type Headers = Readonly<Record<string, string>>;

const rounds = 5;
const seconds = 4;
/** In seconds, until the code is compiled. */
const warmUp = 5;

const five = 'acls,permissions,breadcrumb,tags,favorites';
const onOne: Headers = { 'enrichers.document': five };
const flat: Headers = { ...onOne, depth: 'root' };
const fetched: Headers = { 'fetch.document': 'properties' };
const onPage: Headers = {
  'enrichers.document': 'permissions,tags,hasContent',
  'fetch.document': 'dc:creator',
};

/** What a browser application sends with every page. */
const browser: Headers = {
  'enrichers.document': 'permissions,tags,favorites,breadcrumb,hasContent',
  'fetch.document': 'properties',
  'fetch.directoryEntry': 'parent',
  'translate.directoryEntry': 'label',
};

/** What is asked with which headers, beside what, and the least part of its rate that we want, if any. */
interface Row {
  readonly name: string;
  readonly asked: readonly Asked[];
  readonly headers: Headers;
  readonly goal?: number;
}

/** Both in turn: the ratios of the rounds, and their median against the goal; also of the CPU for each answer. */
async function compare(
  { name, asked, headers, goal }: Row,
  ours: Contender,
  beside: { readonly contender: Contender; readonly asked: readonly Asked[] },
): Promise<void> {
  const enriched = { ...ours, headers: { ...ours.headers, ...headers } };
  await load(enriched, asked, warmUp);
  await load(beside.contender, beside.asked, warmUp);
  const ratios: number[] = [];
  const parts: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const one = await load(enriched, asked, seconds);
    const other = await load(beside.contender, beside.asked, seconds);
    ratios.push(one.perSecond / other.perSecond);
    parts.push((other.cpu ?? Number.NaN) / (one.cpu ?? Number.NaN));
  }
  const [least, middle, most] = [Math.min(...ratios), median(ratios), Math.max(...ratios)];
  const shown = [middle, least, most].map((ratio) => ratio.toFixed(3));
  const isLow = goal !== undefined && middle < goal;
  if (isLow) process.exitCode = 1;
  const wanted = goal === undefined ? 'no goal' : `goal ${goal}`;
  const cpu = `CPU ${median(parts).toFixed(2)} (${Math.min(...parts).toFixed(2)}–${Math.max(...parts).toFixed(2)})`;
  console.log(`${isLow ? 'LOW' : 'ok '} ${name}: ${shown[0]} (${shown[1]}–${shown[2]}), ${cpu}, ${wanted}`);
}

async function get(address: string, headers: Headers = {}): Promise<Record<string, unknown>> {
  const response = await fetch(address, { headers: { authorization, ...headers } });
  if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}

/** An answer of which the rival has one of its own, below an address of its own. */
interface Answer extends Omit<Row, 'asked'> {
  readonly rival: string;
  readonly asks: 'documents' | 'pages';
  readonly query?: string;
}

const answers: readonly Answer[] = [
  { name: 'five enrichers', rival: '/enriched', asks: 'documents', headers: onOne, goal: 0.6 },
  { name: 'five enrichers at depth root', rival: '/flat', asks: 'documents', headers: flat, goal: 0.6 },
  { name: 'all fetch properties', rival: '/fetched', asks: 'documents', headers: fetched, goal: 0.6 },
  { name: 'an enriched page of 50', rival: '/creators', asks: 'pages', headers: onPage, goal: 0.55 },
  {
    name: 'the page of 40 of a browser application',
    rival: '/browser',
    asks: 'pages',
    query: '?pageSize=40',
    headers: browser,
    goal: 0.55,
  },
];

/** @throws Error unless the rival answers the same. */
async function requireSame({ name, headers }: Answer, [one, other]: [string, string]): Promise<void> {
  const [own, its] = await Promise.all([get(one, headers), get(other)]);
  if (!isDeepStrictEqual(own, its)) throw new Error(`${name}: the answers differ`);
}

type Pair = readonly [ours: Contender, rival: Contender];

/** Compares one answer with the rival's, which must be equal for documents of each type and for a page. */
async function compareWithRival(answer: Answer, [ours, rival]: Pair, all: readonly Entity[]): Promise<void> {
  const { asks, query = '' } = answer;
  const folders = all
    .filter(({ type }) => type === 'Folder')
    .map(({ uid }) => `/id/${uid}/@children${query}`);
  const paths = asks === 'pages' ? folders : all.map(({ uid }) => `/id/${uid}`);
  const contender = { ...rival, base: `${rival.base}${answer.rival}` };
  for (const path of [paths[0], ...paths.slice(-2)])
    await requireSame(answer, [`${ours.base}${path}`, `${contender.base}${path}`]);
  const asked = paths.map((path) => ({ path }));
  await compare({ ...answer, asked }, ours, { contender, asked });
}

const rivalProgram = ['--import', 'tsx', fileURLToPath(new URL('rival-enriched.ts', import.meta.url))];

/** Starts the rival, which knows what is the same in all of its answers from two of ours. */
async function startRival(databaseUrl: string, base: string, folder: Entity): Promise<Running> {
  const page = `${base}/id/${folder.uid}/@children`;
  const { entries, ...creators } = await get(page, onPage);
  const { entries: _, ...browsed } = await get(`${page}?pageSize=40`, browser);
  const [first] = entries as Array<{ contextParameters: { permissions: string[] } }>;
  return startNode(rivalProgram, {
    DATABASE_URL: databaseUrl,
    PERMISSIONS: JSON.stringify(first?.contextParameters.permissions),
    ENVELOPES: JSON.stringify({ creators, browser: browsed }),
  });
}

/** Resident memory of a process, in MB. */
async function memory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** The longest that the server's event loop was kept since this was asked last, in milliseconds. */
async function longestBlock({ url }: Running): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization } });
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(await response.text())?.[1]) * 1000;
}

/** The enrichers of a page of a thousand documents: the five that tell most, and five that tell of others. */
const thousands: readonly Headers[] = [
  { 'enrichers.document': 'acls,permissions,tags,favorites,hasContent' },
  { 'enrichers.document': 'breadcrumb,collections,publications,audit,subtypes' },
];

/** What a page of 1,000 documents keeps the others from, and what memory it takes. */
async function measureThousand(ours: Running, headers: Headers): Promise<void> {
  const base = `${ours.url}/api/v1`;
  const { uid } = await get(`${base}/path/default-domain/workspaces/thousand`);
  const address = `${base}/id/${uid}/@children?pageSize=1000`;
  const ask = async () => {
    const { entries } = await get(address, headers);
    if ((entries as unknown[]).length !== 1000) throw new Error('the page has no 1,000 entries');
  };
  for (let round = 0; round < 3; round += 1) await ask();
  await wait(2_000);
  const before = await memory(ours.pid);
  await longestBlock(ours);
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
    blocks.push(await longestBlock(ours));
  }
  const each = (performance.now() - start) / 10;
  const [block, growth] = [Math.max(...blocks), highest - before];
  if (block > 100 || growth > 100) process.exitCode = 1;
  console.log(
    `${block > 100 || growth > 100 ? 'LOW' : 'ok '} 1,000 documents with ${headers['enrichers.document']}: ` +
      `${each.toFixed(0)} ms, loop kept ${median(blocks).toFixed(0)} ms, at most ${block.toFixed(0)} (goal 100), ` +
      `memory grew ${growth.toFixed(0)} MB (goal 100)`,
  );
}

/** What is told of the inside of a folder, of one with very many files to one with few. */
async function compareFolders(databaseUrl: string, ours: Contender): Promise<void> {
  const few = '/default-domain/sections';
  const many = '/default-domain/templates';
  await execute(databaseUrl, filesInFolders(few, 1, 100));
  await execute(databaseUrl, filesInFolders(many, 1, 100_000));
  await execute(databaseUrl, 'VACUUM ANALYZE document');
  const headers = { 'enrichers.document': 'hasContent,hasFolderishChild' };
  const contender = { ...ours, headers: { ...ours.headers, ...headers } };
  // One for each connection.
  const asked = (path: string) => Array.from({ length: 16 }, () => ({ path: `/path${path}/folder-1` }));
  const name = 'what is in a folder of 100,000 files, to one of 100';
  await compare({ name, asked: asked(many), headers, goal: 0.8 }, ours, { contender, asked: asked(few) });
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase();
  const running = await startOurs({ DATABASE_URL: databaseUrl, DATA_DIR: folder });
  console.error('laying 21,400 documents, and 20,400 of them for the rival');
  await seedOurs(databaseUrl);
  await seedTags(databaseUrl);
  const base = `${running.url}/api/v1`;
  const all = await readAll(base);
  const [first] = all as [Entity];
  const rivalUrl = await postgres.createDatabase();
  await seedEnrichedRival(rivalUrl, all, base);
  const rival = await startRival(rivalUrl, base, first);

  const ours: Contender = { pid: running.pid, base, headers: { authorization } };
  const hand: Contender = { pid: rival.pid, base: rival.url, headers: { authorization } };
  for (const answer of answers) await compareWithRival(answer, [ours, hand], all);
  await rival.stop();
  if (process.argv.includes('--rival')) return;
  for (const headers of thousands) await measureThousand(running, headers);
  await compareFolders(databaseUrl, ours);
}

await toTheEnd(main);
