import { setTimeout as wait } from 'node:timers/promises';
import type { Seen } from './asker.ts';
import { type Servers, setSynchronous, untilStreaming } from './servers.ts';

/** How long the replica is stopped, in milliseconds. */
const away = 30_000;

/** The maximum time from a promotion until writes succeed, in seconds. */
const maxOutage = 15;

/** A disruption, such as the loss of a node. */
export interface Part {
  readonly name: string;
  /** Whether responses with status 503 are faults during this part. */
  readonly isSmooth: boolean;
  /** The maximum time without an acknowledged write, in seconds; if absent, it is not limited. */
  readonly maxPause?: number;
  /**
   * Causes the disruption.
   * @param mark records a step of the disruption; the times of outdated reads are relative to the last step
   * @returns a remark, which includes whether it describes a fault; undefined if there is nothing to say
   */
  readonly happen: (mark: (event: string) => void) => Promise<Remark | undefined>;
}

export interface Remark {
  readonly text: string;
  readonly isFault: boolean;
}

/**
 * The disruptions, in the order in which they happen. @param isWritten resolves at the next acknowledged write
 */
export const partsOf = ({ primary, replica, nodes }: Servers, isWritten: () => Promise<void>): Part[] => [
  { name: 'nothing', isSmooth: true, happen: async () => undefined },
  {
    name: 'a node is killed',
    isSmooth: false,
    happen: async () => {
      await nodes[0]?.end('SIGKILL');
      await wait(5_000);
      await nodes[0]?.start();
      return undefined;
    },
  },
  {
    name: 'a node gets SIGTERM',
    isSmooth: true,
    happen: async () => {
      await nodes[1]?.end('SIGTERM');
      await wait(2_000);
      await nodes[1]?.start();
      return undefined;
    },
  },
  {
    name: 'all nodes get SIGUSR2',
    isSmooth: true,
    happen: async () => {
      const began = performance.now();
      await Promise.all(nodes.map((node) => node.roll()));
      const seconds = (performance.now() - began) / 1000;
      return { text: `all workers were replaced after ${seconds.toFixed(0)} s`, isFault: false };
    },
  },
  {
    name: `the replica is stopped for ${away / 1000} s`,
    isSmooth: false,
    happen: async (mark) => {
      await setSynchronous(primary, false);
      mark('commits no longer waited for the replica');
      await replica.stop('fast');
      mark('the replica was stopped');
      await wait(away);
      await replica.start();
      mark('the replica was started');
      await untilStreaming(primary);
      mark('the replica streamed again');
      await setSynchronous(primary, true);
      mark('commits waited for the replica again');
      return undefined;
    },
  },
  {
    name: 'the primary is killed and the replica promoted',
    isSmooth: false,
    happen: async () => {
      await primary.stop('immediate');
      await wait(3_000);
      await replica.promote();
      const promoted = performance.now();
      await isWritten();
      const seconds = (performance.now() - promoted) / 1000;
      return { text: `writes succeeded again after ${seconds.toFixed(1)} s`, isFault: seconds > maxOutage };
    },
  },
];

const countsOf = (statuses: Iterable<readonly [number, number]>): string =>
  [...statuses].map(([status, count]) => `${count} × ${status || 'no answer'}`).join(', ');

/**
 * Summarizes in one line what the clients observed during a part. @param pause the longest time without an acknowledged
 * write, in seconds
 */
export function summary(
  { name }: Part,
  { statuses, old, early, compared, longest }: Seen,
  pause: number,
  remark: Remark | undefined,
): string {
  const seconds = (longest / 1000).toFixed(1);
  const reads = `${compared} reads of own writes, ${old.length} outdated, ${early} with X-Search-Delay`;
  const told = `${name}: ${countsOf(statuses)}; ${reads}; longest ${seconds} s; at most ${pause.toFixed(1)} s without a write`;
  return remark ? `${told}; ${remark.text}` : told;
}

/** Lists the faults among the clients' observations. */
export function faultsOf(
  { name, isSmooth, maxPause = Number.POSITIVE_INFINITY }: Part,
  { statuses, old, failures }: Seen,
  pause: number,
  remark: Remark | undefined,
): string[] {
  const bad = [...statuses].filter(([status]) => status >= 300 || status === 0);
  const wrong = bad.filter(([status]) => isSmooth || status !== 503);
  return [
    ...(wrong.length > 0 ? [`${name}: ${countsOf(wrong)}`, ...failures] : []),
    ...old.map((line) => `${name}: does not return a write of the same user: ${line}`),
    ...(pause > maxPause ? [`${name}: no write for ${pause.toFixed(1)} s`] : []),
    ...(remark?.isFault ? [remark.text] : []),
  ];
}
