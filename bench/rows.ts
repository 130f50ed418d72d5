import { isDeepStrictEqual } from 'node:util';
import { type Contender, load, type RowRequest, type Run } from './load.ts';
import type { Entity } from './seed.ts';

/** A kind of request for which servers are compared. */
export interface Row {
  readonly key: string;
  readonly name: string;
  /**
   * The servers that the first server is compared with, and the minimum ratio of their requests per second; null if
   * there is no minimum.
   */
  readonly goals: Readonly<Record<string, number | null>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly requests: (all: readonly Entity[]) => RowRequest[];
}

const isFolder = ({ type }: Entity): boolean => type === 'Folder';

let created = 0;

/** Returns a body that creates a small file with a unique name. */
export function newFile(): string {
  created += 1;
  const name = `created-${process.pid}-${created}`;
  const properties = { 'dc:title': `Created ${created}`, 'dc:description': 'By the benchmark' };
  return JSON.stringify({ 'entity-type': 'document', type: 'File', name, properties });
}

export const fiveEnrichers = { 'enrichers.document': 'acls,permissions,breadcrumb,tags,favorites' };

/** All rows in the order in which they run. Rows that change data come last. */
export const rows: readonly Row[] = [
  {
    key: 'id',
    name: 'a document by id',
    goals: { 'hand-written': 0.95, yoga: 4.5, execute: 2.8 },
    requests: (all) => all.map(({ uid }) => ({ path: `/id/${uid}` })),
  },
  {
    key: 'path',
    name: 'a document by path',
    goals: { 'hand-written': 0.95 },
    requests: (all) => all.map(({ path }) => ({ path: `/path${path}` })),
  },
  {
    key: 'page',
    name: 'a page of 50 children',
    goals: { 'hand-written': 0.65, yoga: null, execute: 2.5 },
    requests: (all) => all.filter(isFolder).map(({ uid }) => ({ path: `/id/${uid}/@children` })),
  },
  {
    key: 'enrichers',
    name: 'a document with five enrichers',
    goals: { yoga: null, execute: 2.5 },
    headers: fiveEnrichers,
    requests: (all) => all.map(({ uid }) => ({ path: `/id/${uid}` })),
  },
  {
    key: 'create',
    name: 'create a small file',
    goals: { 'hand-written': 0.34, yoga: null, execute: 2.5 },
    requests: (all) => all.filter(isFolder).map(({ uid }) => ({ path: `/id/${uid}`, body: newFile })),
  },
];

const onEmbedded = ['id', 'page', 'create'];

/** The rows for which the embedded PostgreSQL is compared with a PostgreSQL server. */
export const embeddedRows: readonly Row[] = rows
  .filter(({ key }) => onEmbedded.includes(key))
  .map((row) => ({ ...row, goals: { server: 0.9 } }));

/** The number and duration of the runs. */
export interface Plan {
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUp: number;
}

/** The results of one server for a row, one per round. */
interface Measured {
  readonly name: string;
  readonly runs: readonly Run[];
}

/**
 * The results of a row. The runs with the same index directly followed each other. The first server is compared with
 * the others.
 */
export interface Compared {
  readonly row: Row;
  readonly one: Measured;
  readonly others: readonly Measured[];
}

/** A server and its name in the table. */
export interface Competitor extends Contender {
  readonly name: string;
  /** The requests that this server receives instead of the row's requests. */
  readonly requests?: readonly RowRequest[];
  /**
   * Waits until the server has finished the work that it continues after responding. This work would otherwise slow
   * down the next server.
   * @throws Error if that takes too long
   */
  readonly settle?: () => Promise<void>;
}

/**
 * Removes the parts in which equivalent responses differ: the server's URL, and the id and dates of a new document.
 */
function comparable(text: string, base: string, isNew: boolean): string {
  const here = text.replaceAll(new URL(base).origin, '');
  if (!isNew) return here;
  const entity = { ...JSON.parse(here), uid: '', path: '' };
  return JSON.stringify(entity).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '');
}

/**
 * Checks that all responses are equal. The order of keys is ignored, because `jsonb` does not preserve it. @throws
 * Error
 */
async function requireSame(
  [first, ...others]: readonly Contender[],
  { path, body: newBody }: RowRequest,
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
      `${name}, ${contender.base}${path}: the responses differ:\n${wanted.slice(0, 9000)}\n${found.slice(0, 9000)}`,
    );
  }
}

/** Measures a row on the first server and on the servers in the row's goals, one after the other. */
export async function compare(
  row: Row,
  all: { readonly servers: readonly Competitor[]; readonly documents: readonly Entity[] },
  { rounds, seconds, warmUp }: Plan,
): Promise<Compared> {
  const usual = row.requests(all.documents);
  const competitors = all.servers
    .filter(({ name }, at) => at === 0 || name in row.goals)
    .map((server) => ({ ...server, headers: { ...server.headers, ...row.headers } }));
  const isSame = competitors.every(({ requests }) => requests === undefined);
  for (const each of isSame ? [usual[0], ...usual.slice(-2)] : [])
    if (each) await requireSame(competitors, each, row.name);
  const loaded = async (contender: Competitor, length: number): Promise<Run> => {
    const run = await load(contender, contender.requests ?? usual, length);
    await contender.settle?.();
    return run;
  };
  for (const contender of competitors) await loaded(contender, warmUp);
  const measured = competitors.map(({ name }) => ({ name, runs: [] as Run[] }));
  for (let round = 0; round < rounds; round += 1)
    for (const [at, contender] of competitors.entries())
      measured[at]?.runs.push(await loaded(contender, seconds));
  const [one, ...others] = measured;
  if (!one) throw new Error('the row has no servers to compare');
  return { row, one, others };
}
