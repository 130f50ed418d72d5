import { loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { toTheEnd } from './closing.ts';
import { type Answer, asker, nothingSeen } from './nodes/asker.ts';
import { blobOf, contentOf, numberIn, read, type Writer, write } from './nodes/clients.ts';
import { faultsOf, type Part, partsOf, summary } from './nodes/parts.ts';
import { replicaPosition, type Servers, startServers } from './nodes/servers.ts';
import { makeUser } from './nodes/users.ts';
import { execute } from './postgres.ts';

const { values } = parseArgs({
  options: {
    /** Runs only the parts whose names contain one of these comma-separated strings. */
    only: { type: 'string', default: '' },
    /** How often to run the parts. */
    times: { type: 'string', default: '1' },
  },
});

/**
 * Tests three nodes behind HAProxy. While they are under load, the servers are stopped one after the other.
 */

const writers = 6;
const readers = 2;

/** How long the load runs before and after each event, in milliseconds. The whole test takes five minutes. */
const [before, after] = [12_000, 26_000];

/**
 * Counts the statements that the primary has run, by name or first characters, except for those that run every
 * second.
 */
const statementsQuery = `
  SELECT sum(calls)::int AS calls, left(query, 60) AS text FROM pg_stat_statements
  WHERE query NOT LIKE '%pg_current_wal_insert_lsn%' AND query NOT LIKE '%pg_stat_statements%'
    AND query NOT IN ('SELECT $1', 'SELECT 1', 'LISTEN quire')
  GROUP BY 2 ORDER BY 1 DESC LIMIT 20`;

type Statements = Array<{ calls: number; text: string }>;

/** Measures how many statements the primary runs because of clients that only read. */
async function readAlone({ primary, url }: Servers, paths: readonly string[]): Promise<void> {
  const seen = nothingSeen();
  let isOver = false;
  const load = Promise.all(
    Array.from({ length: readers }, (_, index) =>
      read(url, `reader${index}`, paths, { seen: () => seen, isOver: () => isOver }),
    ),
  );
  await wait(5_000); // The clients log in during this time.
  await execute(primary.url, 'SELECT pg_stat_statements_reset()');
  const known = seen.statuses.get(200) ?? 0;
  await wait(15_000);
  const statements = (await execute(primary.url, statementsQuery)) as Statements;
  const count = (seen.statuses.get(200) ?? 0) - known;
  isOver = true;
  await load;
  console.log(`only readers: ${count} reads and searches; statements on the primary at that time:`);
  for (const { calls, text } of statements) console.log(`  ${calls} × ${text.replaceAll(/\s+/g, ' ')}`);
}

/** Finds titles and files that were acknowledged but are missing. */
async function lost(url: string, all: readonly Writer[]): Promise<string[]> {
  const missing: string[] = [];
  for (const writer of all) {
    const { user, path, acknowledged, uploads } = writer;
    const ask = asker(url, user, false, nothingSeen);
    const isThere = ({ status, text }: Answer, isRight: (text: string) => boolean) =>
      status === 200 && isRight(text);
    const title = await ask('GET', `/path${path}`);
    if (!isThere(title, (text) => numberIn(text) >= acknowledged)) missing.push(`${user}-${acknowledged}`);
    for (const name of uploads)
      if (!isThere(await ask('GET', blobOf(writer, name)), (text) => text === contentOf(name)))
        missing.push(`${path}/${name}`);
  }
  return missing;
}

/** Explains outdated responses by means of the replica's position and the time since the last event. */
function explainer({ replica }: Servers): {
  readonly mark: (event: string) => void;
  readonly explain: (answer: Answer) => Promise<string>;
} {
  const events: Array<{ text: string; at: number }> = [];
  return {
    mark: (text) => events.push({ text, at: performance.now() }),
    explain: async ({ began }) => {
      const position = await replicaPosition(replica);
      const last = events.filter(({ at }) => at <= began).at(-1);
      const since = last
        ? `${((began - last.at) / 1000).toFixed(2)} s after ${last.text}`
        : 'before any event';
      return `right afterwards, the replica was at ${position}; the request was sent ${since}`;
    },
  };
}

/** Returns whether `--only` selects a part. */
const isWanted = ({ name }: Part): boolean =>
  values.only.split(',').some((text) => name.includes(text.trim()));

/**
 * Runs all parts under load.
 * @returns the faults that the clients observed
 */
async function endure(servers: Servers, all: readonly Writer[]): Promise<string[]> {
  const { url } = servers;
  const paths = all.map(({ path }) => path);
  const { mark, explain } = explainer(servers);
  let seen = nothingSeen();
  let isOver = false;
  const state = { seen: () => seen, isOver: () => isOver };
  const load = Promise.all([
    ...all.map((writer, index) => write(url, writer, { ...state, explain, keepsCookies: index % 2 === 0 })),
    ...Array.from({ length: readers }, (_, index) => read(url, `reader${index}`, paths, state)),
  ]);
  const titles = (): number => all.reduce((sum, writer) => sum + writer.titles, 0);
  const isWritten = async (): Promise<void> => {
    for (const known = titles(); titles() === known; ) await wait(20);
  };
  const faults: string[] = [];
  const parts = partsOf(servers, isWritten).filter(isWanted);
  for (const part of Array.from({ length: Number(values.times) }, () => parts).flat()) {
    seen = nothingSeen();
    mark(`"${part.name}" began`);
    await wait(before);
    const remark = await part.happen(mark);
    await wait(after);
    console.log(`${summary(part, seen, remark)} (load ${loadavg()[0]?.toFixed(0)})`);
    faults.push(...faultsOf(part, seen, remark));
  }
  isOver = true;
  await load;
  return faults;
}

async function main(): Promise<void> {
  const servers = await startServers();
  const { url } = servers;
  const all: Writer[] = [];
  for (let index = 0; index < writers; index += 1) {
    const user = `writer${index}`;
    all.push({ user, path: await makeUser(url, user), acknowledged: 0, sent: 0, titles: 0, uploads: [] });
  }
  for (let index = 0; index < readers; index += 1) await makeUser(url, `reader${index}`);
  await readAlone(
    servers,
    all.map(({ path }) => path),
  );
  const faults = await endure(servers, all);
  const missing = await lost(url, all);
  const titles = all.reduce((sum, writer) => sum + writer.titles, 0);
  const files = all.reduce((sum, { uploads }) => sum + uploads.length, 0);
  console.log(`${titles} titles and ${files} files were acknowledged, ${missing.length} are lost`);
  for (const fault of [...faults, ...missing.map((name) => `lost: ${name}`)]) console.log(`FAULT: ${fault}`);
  process.exitCode = faults.length + missing.length === 0 ? 0 : 1;
}

await toTheEnd(main);
