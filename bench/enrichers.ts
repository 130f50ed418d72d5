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

const onOne: Headers = { 'enrichers.document': 'acls,permissions,breadcrumb,tags,favorites' };
const onPage: Headers = {
  'enrichers.document': 'permissions,tags,hasContent',
  'fetch.document': 'dc:creator',
};

/** What is asked with which headers, beside what, and the least part of its rate that we want, if any. */
interface Row {
  readonly name: string;
  readonly asked: readonly Asked[];
  readonly headers: Headers;
  readonly goal?: number;
}

/** Both in turn: the ratios of the rounds, and their median against the goal. */
async function compare(
  { name, asked, headers, goal }: Row,
  ours: Contender,
  beside: { readonly contender: Contender; readonly asked: readonly Asked[] },
): Promise<void> {
  const enriched = { ...ours, headers: { ...ours.headers, ...headers } };
  await load(enriched, asked, 3);
  await load(beside.contender, beside.asked, 3);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const one = await load(enriched, asked, seconds);
    ratios.push(one.perSecond / (await load(beside.contender, beside.asked, seconds)).perSecond);
  }
  const [least, middle, most] = [Math.min(...ratios), median(ratios), Math.max(...ratios)];
  const shown = [middle, least, most].map((ratio) => ratio.toFixed(3));
  const isLow = goal !== undefined && middle < goal;
  if (isLow) process.exitCode = 1;
  const wanted = goal === undefined ? 'no goal' : `goal ${goal}`;
  console.log(`${isLow ? 'LOW' : 'ok '} ${name}: ${shown[0]} (${shown[1]}–${shown[2]}), ${wanted}`);
}

async function get(address: string, headers: Headers = {}): Promise<Record<string, unknown>> {
  const response = await fetch(address, { headers: { authorization, ...headers } });
  if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}

/** @throws Error unless the rival answers the same page. */
async function requireSame(ours: Contender, rival: Contender, path: string): Promise<void> {
  const [one, other] = [await get(`${ours.base}${path}`, onPage), await get(`${rival.base}${path}`)];
  if (!isDeepStrictEqual(one, other)) throw new Error('the answers differ');
}

const rivalProgram = ['--import', 'tsx', fileURLToPath(new URL('rival-enriched.ts', import.meta.url))];

/** Starts the rival, which knows what is the same in all of its answers from one of ours. */
async function startRival(databaseUrl: string, base: string, folder: Entity): Promise<Running> {
  const { entries, ...envelope } = await get(`${base}/id/${folder.uid}/@children`, onPage);
  const [first] = entries as Array<{ contextParameters: { permissions: string[] } }>;
  return startNode(rivalProgram, {
    DATABASE_URL: databaseUrl,
    PERMISSIONS: JSON.stringify(first?.contextParameters.permissions),
    ENVELOPE: JSON.stringify(envelope),
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
  const hand: Contender = { pid: rival.pid, base: rival.url, headers: {} };
  await requireSame(ours, hand, `/id/${first.uid}/@children`);
  const documents = all.map(({ uid }) => ({ path: `/id/${uid}` }));
  const pages = all
    .filter(({ type }) => type === 'Folder')
    .map(({ uid }) => ({ path: `/id/${uid}/@children` }));
  const plain = { contender: ours, asked: documents };

  const one = { asked: documents, headers: onOne };
  await compare({ ...one, name: 'five enrichers, to a plain document', goal: 0.35 }, ours, plain);
  const flat = { asked: documents, headers: { ...onOne, depth: 'root' } };
  await compare({ ...flat, name: 'five enrichers at depth root, to a plain document' }, ours, plain);
  const fetched = { asked: documents, headers: { 'fetch.document': 'properties' } };
  await compare({ ...fetched, name: 'all fetch properties, to a plain document', goal: 0.5 }, ours, plain);
  const page = { asked: pages, headers: onPage };
  await compare({ ...page, name: 'an enriched page of 50, to a plain document', goal: 0.08 }, ours, plain);
  const beside = { contender: hand, asked: pages };
  await compare({ ...page, name: 'an enriched page of 50, to the rival', goal: 0.4 }, ours, beside);
  await rival.stop();
  for (const headers of thousands) await measureThousand(running, headers);
  await compareFolders(databaseUrl, ours);
}

await toTheEnd(main);
