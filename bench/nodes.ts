import { loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { toTheEnd } from './closing.ts';
import { type Answer, nothingSeen } from './nodes/asker.ts';
import { lost, newWriter, read, type Writer, write } from './nodes/clients.ts';
import { faultsOf, type Part, partsOf, summary } from './nodes/parts.ts';
import { startPatroni } from './nodes/patroni.ts';
import { patroniParts } from './nodes/patroni-parts.ts';
import { replicaPosition, type Servers, startNodes, startServers } from './nodes/servers.ts';
import { makeUser } from './nodes/users.ts';
import { execute } from './postgres.ts';

const { values } = parseArgs({
  options: {
    /** Runs only the parts whose names contain one of these comma-separated strings. */
    only: { type: 'string', default: '' },
    /** How often to run the parts. */
    times: { type: 'string', default: '1' },
    /** Uses a Patroni cluster, whose leader fails. */
    patroni: { type: 'boolean', default: false },
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

/** The nodes, and what happens to their servers. */
interface Place {
  readonly url: string;
  /** @param isWritten resolves at the next acknowledged write */
  readonly parts: (isWritten: () => Promise<void>) => Part[];
  /** Describes how far the replicas are. */
  readonly positions: () => Promise<string>;
  /** The servers, if they are not managed by Patroni. */
  readonly servers?: Servers;
}

async function patroniPlace(): Promise<Place> {
  const cluster = await startPatroni();
  const { url } = await startNodes({
    DATABASE_URL: cluster.url,
    DATABASE_REPLICA_URLS: cluster.urls.join(','),
  });
  const positions = async () =>
    (await Promise.all(cluster.urls.map((each) => replicaPosition({ url: each })))).join(', ');
  return { url, positions, parts: () => patroniParts(cluster) };
}

async function plainPlace(): Promise<Place> {
  const servers = await startServers();
  return {
    url: servers.url,
    servers,
    positions: () => replicaPosition(servers.replica),
    parts: (isWritten) => partsOf(servers, isWritten),
  };
}

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

/** Explains outdated responses by means of the replica's position and the time since the last event. */
function explainer({ positions }: Pick<Place, 'positions'>): {
  readonly mark: (event: string) => void;
  readonly explain: (answer: Answer) => Promise<string>;
} {
  const events: Array<{ text: string; at: number }> = [];
  return {
    mark: (text) => events.push({ text, at: performance.now() }),
    explain: async ({ began }) => {
      const position = await positions();
      const last = events.filter(({ at }) => at <= began).at(-1);
      const since = last
        ? `${((began - last.at) / 1000).toFixed(2)} s after ${last.text}`
        : 'before any event';
      return `right afterwards, the replicas were at ${position}; the request was sent ${since}`;
    },
  };
}

/**
 * Observes how many titles were acknowledged.
 * @returns a function that stops, and returns the longest time without an acknowledged title in seconds
 */
function longestPause(titles: () => number): () => number {
  let [known, since, longest] = [titles(), performance.now(), 0];
  const look = (): void => {
    longest = Math.max(longest, performance.now() - since);
    if (titles() === known) return;
    [known, since] = [titles(), performance.now()];
  };
  const timer = setInterval(look, 20);
  return () => {
    clearInterval(timer);
    look();
    return longest / 1000;
  };
}

/** Returns whether `--only` selects a part. */
const isWanted = ({ name }: Part): boolean =>
  values.only.split(',').some((text) => name.includes(text.trim()));

/**
 * Runs all parts under load.
 * @returns the faults that the clients observed
 */
async function endure(place: Place, all: readonly Writer[]): Promise<string[]> {
  const { url } = place;
  const paths = all.map(({ path }) => path);
  const { mark, explain } = explainer(place);
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
  const parts = place.parts(isWritten).filter(isWanted);
  for (const part of Array.from({ length: Number(values.times) }, () => parts).flat()) {
    seen = nothingSeen();
    mark(`"${part.name}" began`);
    const pauseSoFar = longestPause(titles);
    await wait(before);
    const remark = await part.happen(mark);
    await wait(after);
    const pause = pauseSoFar();
    console.log(`${summary(part, seen, pause, remark)} (load ${loadavg()[0]?.toFixed(0)})`);
    faults.push(...faultsOf(part, seen, pause, remark));
  }
  isOver = true;
  await load;
  return faults;
}

async function main(): Promise<void> {
  const place = await (values.patroni ? patroniPlace() : plainPlace());
  const { url, servers } = place;
  const all: Writer[] = [];
  for (let index = 0; index < writers; index += 1) all.push(await newWriter(url, `writer${index}`));
  for (let index = 0; index < readers; index += 1) await makeUser(url, `reader${index}`);
  if (servers)
    await readAlone(
      servers,
      all.map(({ path }) => path),
    );
  const faults = await endure(place, all);
  const missing = await lost(url, all);
  const titles = all.reduce((sum, writer) => sum + writer.titles, 0);
  const files = all.reduce((sum, { uploads }) => sum + uploads.length, 0);
  console.log(`${titles} titles and ${files} files were acknowledged, ${missing.length} are lost`);
  for (const fault of [...faults, ...missing.map((name) => `lost: ${name}`)]) console.log(`FAULT: ${fault}`);
  process.exitCode = faults.length + missing.length === 0 ? 0 : 1;
}

await toTheEnd(main);
