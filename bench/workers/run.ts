import { drive, type Load, type Sent } from '../open-load.ts';
import { authorization, isIndexed } from '../ours.ts';
import type { Running } from '../processes.ts';
import type { Usage } from './usage.ts';

/** Servers that share a load, which comes from a number of clients or has a fixed rate. */
export interface Contender {
  readonly name: string;
  readonly servers: readonly Running[];
  readonly usage: () => Promise<Usage>;
  readonly pace: Load['pace'];
  readonly next: () => Sent;
}

export interface Run {
  readonly perSecond: number;
  /** The CPU time per request in all processes of the servers, in milliseconds. */
  readonly cpu: number;
  readonly garbage: number;
}

/**
 * Returns the number of clients. With more concurrent searches or writes, a single user would receive 503 responses.
 */
export const clientsOf = (kind: string): number => ({ 'a search': 6, 'create a file': 16 })[kind] ?? 64;

/** Returns the number of requests per second if requests of this kind are also measured at a fixed rate. */
export const rateOf = (kind: string): number | undefined =>
  ({ 'a document by id': 300, 'create a file': 150 })[kind];

/** Waits until the search index is up to date, because indexing is part of the cost of a write. */
async function indexed({ url }: Running): Promise<void> {
  if (!(await isIndexed(`${url}/api/v1`, 30)))
    throw new Error('The search index is still behind after 30 s.');
}

/** Returns the share of the load that each server gets. */
export const shareOf = (pace: Load['pace'], count: number): Load['pace'] =>
  'rate' in pace ? { rate: pace.rate / count } : { connections: pace.connections / count };

/** Puts a load on servers. @throws Error if a request fails */
export async function run(
  { servers, usage, pace, next }: Omit<Contender, 'name'>,
  seconds: number,
): Promise<Run> {
  const before = await usage();
  const shared = { seconds, pace: shareOf(pace, servers.length), clients: 64 / servers.length };
  const results = await Promise.all(servers.map(({ url }) => drive({ url, authorization, next, ...shared })));
  await Promise.all(servers.map(indexed));
  const after = await usage();
  const statuses = results.flatMap((result) => [...result.statuses]);
  const wrong = statuses.filter(([status]) => status < 200 || status >= 300);
  if (wrong.length > 0) throw new Error(wrong.map(([status, count]) => `${count} × ${status}`).join());
  const count = statuses.reduce((sum, [, each]) => sum + each, 0);
  return {
    perSecond: results.reduce((sum, { goodput }) => sum + goodput, 0),
    cpu: (after.cpu - before.cpu) / count,
    garbage: (after.garbage - before.garbage) / count,
  };
}
