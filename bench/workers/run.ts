import { drive, type Load, type Sent } from '../open-load.ts';
import { authorization, isIndexed } from '../ours.ts';
import type { Running } from '../processes.ts';
import type { Usage } from './usage.ts';

/** Servers that share a load: clients that ask one after the other, or requests that arrive at a rate. */
export interface Contender {
  readonly name: string;
  readonly servers: readonly Running[];
  readonly usage: () => Promise<Usage>;
  readonly pace: Load['pace'];
  readonly next: () => Sent;
}

export interface Run {
  readonly perSecond: number;
  /** CPU time of a request in all processes of the servers, in milliseconds. */
  readonly cpu: number;
  readonly garbage: number;
}

/** Clients that ask one after the other: a user with more searches or writes at once would be answered with 503. */
export const clientsOf = (kind: string): number => ({ 'a search': 6, 'create a file': 16 })[kind] ?? 64;

/** What arrives each second, apart from what clients ask one after the other. */
export const rateOf = (kind: string): number | undefined =>
  ({ 'a document by id': 300, 'create a file': 150 })[kind];

/** Waits until the search index has what was written: that is a part of a write. */
async function indexed({ url }: Running): Promise<void> {
  if (!(await isIndexed(`${url}/api/v1`, 30))) throw new Error('the index is 30 s behind');
}

/** The part of one of so many servers. */
export const shareOf = (pace: Load['pace'], count: number): Load['pace'] =>
  'rate' in pace ? { rate: pace.rate / count } : { connections: pace.connections / count };

/** Puts a load on servers. @throws Error for an answer that is no success. */
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
