import { isDeepStrictEqual } from 'node:util';
import { type Asked, type Contender, load, type Run } from './load.ts';
import type { Entity } from './seed.ts';

/** One kind of request that both servers answer. */
export interface Row {
  readonly key: string;
  readonly name: string;
  /** The least part of the rival's requests per second that we want to reach. */
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
    goal: 0.6,
    asked: (all) => all.map(({ uid }) => ({ path: `/id/${uid}` })),
  },
  {
    key: 'path',
    name: 'a document by path',
    goal: 0.6,
    asked: (all) => all.map(({ path }) => ({ path: `/path${path}` })),
  },
  {
    key: 'page',
    name: 'a page of 50 children',
    goal: 0.4,
    asked: (all) => all.filter(isFolder).map(({ uid }) => ({ path: `/id/${uid}/@children` })),
  },
  {
    key: 'create',
    name: 'create a small file',
    goal: 0.25,
    asked: (all) => all.filter(isFolder).map(({ uid }) => ({ path: `/id/${uid}`, body: newFile })),
  },
];

/** How often, and how long. */
export interface Plan {
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUp: number;
}

/** One row's runs; those of the same index ran one after the other. */
export interface Compared {
  readonly row: Row;
  readonly ours: readonly Run[];
  readonly rival: readonly Run[];
}

/** @throws Error unless both answer the same, to the byte as far as the order of keys in `jsonb` allows it. */
async function requireSame(ours: Contender, rival: Contender, { path }: Asked): Promise<void> {
  const [one, other] = await Promise.all(
    [ours, rival].map(async ({ base, headers }) => {
      const response = await fetch(`${base}${path}`, { headers: { ...headers } });
      return response.text();
    }),
  );
  const isSame =
    one?.length === other?.length && isDeepStrictEqual(JSON.parse(one ?? ''), JSON.parse(other ?? ''));
  if (!isSame)
    throw new Error(`${path}: the answers differ:\n${one?.slice(0, 2000)}\n${other?.slice(0, 2000)}`);
}

/** Runs one row on both servers in turn. */
export async function compare(
  row: Row,
  [ours, rival]: readonly [Contender, Contender],
  all: readonly Entity[],
  { rounds, seconds, warmUp }: Plan,
): Promise<Compared> {
  const asked = row.asked(all);
  for (const one of [asked[0], asked.at(-1)]) if (one && !one.body) await requireSame(ours, rival, one);
  for (const contender of [ours, rival]) await load(contender, asked, warmUp);
  const compared = { row, ours: [] as Run[], rival: [] as Run[] };
  for (let round = 0; round < rounds; round += 1) {
    compared.ours.push(await load(ours, asked, seconds));
    compared.rival.push(await load(rival, asked, seconds));
  }
  return compared;
}
