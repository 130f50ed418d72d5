import { isDeepStrictEqual } from 'node:util';
import { type Asked, type Contender, load, type Run } from './load.ts';
import type { Entity } from './seed.ts';

/** One kind of request that the servers under comparison answer. */
export interface Row {
  readonly key: string;
  readonly name: string;
  /** The least part of the other's requests per second that we want to reach. */
  readonly goal: number;
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

/** In the order in which they run: what changes the tables comes last. */
export const rows: readonly Row[] = [
  {
    key: 'id',
    name: 'a document by id',
    goal: 0.95,
    asked: (all) => all.map(({ uid }) => ({ path: `/id/${uid}` })),
  },
  {
    key: 'path',
    name: 'a document by path',
    goal: 0.95,
    asked: (all) => all.map(({ path }) => ({ path: `/path${path}` })),
  },
  {
    key: 'page',
    name: 'a page of 50 children',
    goal: 0.65,
    asked: (all) => all.filter(isFolder).map(({ uid }) => ({ path: `/id/${uid}/@children` })),
  },
  {
    key: 'create',
    name: 'create a small file',
    goal: 0.34,
    asked: (all) => all.filter(isFolder).map(({ uid }) => ({ path: `/id/${uid}`, body: newFile })),
  },
];

const onEmbedded = ['id', 'page', 'create'];

/** What the embedded PostgreSQL is asked beside a server. */
export const embeddedRows: readonly Row[] = rows
  .filter(({ key }) => onEmbedded.includes(key))
  .map((row) => ({ ...row, goal: 0.9 }));

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

/** One row's runs; those of the same index ran one after the other. The first is judged by the second. */
export interface Compared {
  readonly row: Row;
  readonly one: Measured;
  readonly other: Measured;
}

/** A contender as the table names it. */
export interface Competitor extends Contender {
  readonly name: string;
  /** Ends what it does after its answers: else the other one would pay for that. @throws Error */
  readonly settle?: () => Promise<void>;
}

/**
 * Answers of ours name their own server, which is left out of the comparison.
 * @throws Error unless both answer the same, to the byte as far as the order of keys in `jsonb` allows it.
 */
async function requireSame(pair: readonly [Contender, Contender], { path }: Asked): Promise<void> {
  const [one = '', other = ''] = await Promise.all(
    pair.map(async ({ base, headers }) => {
      const response = await fetch(`${base}${path}`, { headers: { ...headers } });
      const text = await response.text();
      return pair.reduce((rest, { base: named }) => rest.replaceAll(new URL(named).origin, ''), text);
    }),
  );
  if (one.length === other.length && isDeepStrictEqual(JSON.parse(one), JSON.parse(other))) return;
  throw new Error(`${path}: the answers differ:\n${one.slice(0, 2000)}\n${other.slice(0, 2000)}`);
}

/** Runs one row on both servers in turn. */
export async function compare(
  row: Row,
  pair: readonly [Competitor, Competitor],
  all: readonly Entity[],
  { rounds, seconds, warmUp }: Plan,
): Promise<Compared> {
  const asked = row.asked(all);
  for (const each of [asked[0], asked.at(-1)]) if (each && !each.body) await requireSame(pair, each);
  const loaded = async (contender: Competitor, length: number): Promise<Run> => {
    const run = await load(contender, asked, length);
    await contender.settle?.();
    return run;
  };
  for (const contender of pair) await loaded(contender, warmUp);
  const [one, other] = pair;
  const runs = { one: [] as Run[], other: [] as Run[] };
  for (let round = 0; round < rounds; round += 1) {
    runs.one.push(await loaded(one, seconds));
    runs.other.push(await loaded(other, seconds));
  }
  return { row, one: { name: one.name, runs: runs.one }, other: { name: other.name, runs: runs.other } };
}
