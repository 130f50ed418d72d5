import { isDeepStrictEqual } from 'node:util';
import { type Asked, type Contender, load, type Run } from './load.ts';
import type { Entity } from './seed.ts';

/** One kind of request that the servers under comparison answer. */
export interface Row {
  readonly key: string;
  readonly name: string;
  /**
   * The servers that the first one is compared with, by name, and for each the least ratio of the requests per second
   * that we want; null where we want none in particular.
   */
  readonly goals: Readonly<Record<string, number | null>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly asked: (all: readonly Entity[]) => Asked[];
}

const isFolder = ({ type }: Entity): boolean => type === 'Folder';

let created = 0;

/** A small file, under a name that nobody took. */
export function newFile(): string {
  created += 1;
  const name = `created-${process.pid}-${created}`;
  const properties = { 'dc:title': `Created ${created}`, 'dc:description': 'By the benchmark' };
  return JSON.stringify({ 'entity-type': 'document', type: 'File', name, properties });
}

export const fiveEnrichers = { 'enrichers.document': 'acls,permissions,breadcrumb,tags,favorites' };

/** In the order in which they run: what changes the tables comes last. */
export const rows: readonly Row[] = [
  {
    key: 'id',
    name: 'a document by id',
    goals: { 'hand-written': 0.95, yoga: 4.5, execute: 2.8 },
    asked: (all) => all.map(({ uid }) => ({ path: `/id/${uid}` })),
  },
  {
    key: 'path',
    name: 'a document by path',
    goals: { 'hand-written': 0.95 },
    asked: (all) => all.map(({ path }) => ({ path: `/path${path}` })),
  },
  {
    key: 'page',
    name: 'a page of 50 children',
    goals: { 'hand-written': 0.65, yoga: null, execute: 2.5 },
    asked: (all) => all.filter(isFolder).map(({ uid }) => ({ path: `/id/${uid}/@children` })),
  },
  {
    key: 'enrichers',
    name: 'a document with five enrichers',
    goals: { yoga: null, execute: 2.5 },
    headers: fiveEnrichers,
    asked: (all) => all.map(({ uid }) => ({ path: `/id/${uid}` })),
  },
  {
    key: 'create',
    name: 'create a small file',
    goals: { 'hand-written': 0.34, yoga: null, execute: 2.5 },
    asked: (all) => all.filter(isFolder).map(({ uid }) => ({ path: `/id/${uid}`, body: newFile })),
  },
];

const onEmbedded = ['id', 'page', 'create'];

/** What the embedded PostgreSQL is asked beside a server. */
export const embeddedRows: readonly Row[] = rows
  .filter(({ key }) => onEmbedded.includes(key))
  .map((row) => ({ ...row, goals: { server: 0.9 } }));

/** How often, and how long. */
export interface Plan {
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUp: number;
}

/** What one contender did in the rounds of a row. */
interface Measured {
  readonly name: string;
  readonly runs: readonly Run[];
}

/** One row's runs; those of the same index ran one after the other. The first is judged by each of the others. */
export interface Compared {
  readonly row: Row;
  readonly one: Measured;
  readonly others: readonly Measured[];
}

/** A contender as the table names it. */
export interface Competitor extends Contender {
  readonly name: string;
  /** What it is asked instead of the requests of the row. */
  readonly asked?: readonly Asked[];
  /** Ends what it does after its answers: else the other one would pay for that. @throws Error */
  readonly settle?: () => Promise<void>;
}

/** What an answer to the same request has of its own: addresses with the server's name; of a new document its id and times. */
function comparable(text: string, base: string, isNew: boolean): string {
  const here = text.replaceAll(new URL(base).origin, '');
  if (!isNew) return here;
  const entity = { ...JSON.parse(here), uid: '', path: '' };
  return JSON.stringify(entity).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '');
}

/** @throws Error unless all answer the same, to the byte as far as the order of keys in `jsonb` allows it. */
async function requireSame(
  [first, ...others]: readonly Contender[],
  { path, body: newBody }: Asked,
  name: string,
): Promise<void> {
  const body = newBody?.();
  const ask = async ({ base, headers }: Contender): Promise<string> => {
    const sent = { ...headers, ...(body && { 'content-type': 'application/json' }) };
    const response = await fetch(`${base}${path}`, { headers: sent, ...(body && { method: 'POST', body }) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${base}${path}: ${response.status} ${text}`);
    return comparable(text, base, body !== undefined);
  };
  if (!first) return;
  const wanted = await ask(first);
  for (const contender of others) {
    const found = comparable(await ask(contender), first.base, false);
    if (found.length === wanted.length && isDeepStrictEqual(JSON.parse(found), JSON.parse(wanted))) continue;
    throw new Error(
      `${name}, ${contender.base}${path}: the answers differ:\n${wanted.slice(0, 9000)}\n${found.slice(0, 9000)}`,
    );
  }
}

/** Runs one row on the first server and those that its goals name, in turn. */
export async function compare(
  row: Row,
  all: { readonly servers: readonly Competitor[]; readonly documents: readonly Entity[] },
  { rounds, seconds, warmUp }: Plan,
): Promise<Compared> {
  const usual = row.asked(all.documents);
  const competitors = all.servers
    .filter(({ name }, at) => at === 0 || name in row.goals)
    .map((server) => ({ ...server, headers: { ...server.headers, ...row.headers } }));
  const isSame = competitors.every(({ asked }) => asked === undefined);
  for (const each of isSame ? [usual[0], ...usual.slice(-2)] : [])
    if (each) await requireSame(competitors, each, row.name);
  const loaded = async (contender: Competitor, length: number): Promise<Run> => {
    const run = await load(contender, contender.asked ?? usual, length);
    await contender.settle?.();
    return run;
  };
  for (const contender of competitors) await loaded(contender, warmUp);
  const measured = competitors.map(({ name }) => ({ name, runs: [] as Run[] }));
  for (let round = 0; round < rounds; round += 1)
    for (const [at, contender] of competitors.entries())
      measured[at]?.runs.push(await loaded(contender, seconds));
  const [one, ...others] = measured;
  if (!one) throw new Error('there are no servers to compare');
  return { row, one, others };
}
