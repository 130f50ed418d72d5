import { setTimeout as wait } from 'node:timers/promises';
import type { Seen } from './asker.ts';
import { type Servers, setSynchronous, untilStreaming } from './servers.ts';

/** Milliseconds for which the replica is away. */
const away = 30_000;

/** Seconds within which writes are back after a promotion. */
const longestOutage = 15;

/** One of the things that happen to the servers, one after the other. */
export interface Part {
  readonly name: string;
  /** Whether a 503 is a fault. */
  readonly isSmooth: boolean;
  /**
   * @param mark notes what has just happened, from which the times of old reads are counted.
   * @returns what is to be said about it, and whether that is a fault.
   */
  readonly happen: (mark: (event: string) => void) => Promise<Remark | undefined>;
}

export interface Remark {
  readonly text: string;
  readonly isFault: boolean;
}

/** @param isWritten resolves at the next write that is acknowledged. */
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
    name: 'the primary is killed, the replica promoted',
    isSmooth: false,
    happen: async () => {
      await primary.stop('immediate');
      await wait(3_000);
      await replica.promote();
      const promoted = performance.now();
      await isWritten();
      const seconds = (performance.now() - promoted) / 1000;
      return { text: `writes are back after ${seconds.toFixed(1)} s`, isFault: seconds > longestOutage };
    },
  },
];

const countsOf = (statuses: Iterable<readonly [number, number]>): string =>
  [...statuses].map(([status, count]) => `${count} × ${status || 'no answer'}`).join(', ');

/** What clients have seen of a part, as a line. */
export function summary(
  { name }: Part,
  { statuses, old, early, compared, longest }: Seen,
  remark: Remark | undefined,
): string {
  const seconds = (longest / 1000).toFixed(1);
  const reads = `${compared} own reads, ${old.length} of them old, ${early} early (X-Search-Delay)`;
  const told = `${name}: ${countsOf(statuses)}; ${reads}; longest ${seconds} s`;
  return remark ? `${told}; ${remark.text}` : told;
}

/** What must not have been seen. */
export function faultsOf(
  { name, isSmooth }: Part,
  { statuses, old, failures }: Seen,
  remark: Remark | undefined,
): string[] {
  const bad = [...statuses].filter(([status]) => status >= 300 || status === 0);
  const wrong = bad.filter(([status]) => isSmooth || status !== 503);
  return [
    ...(wrong.length > 0 ? [`${name}: ${countsOf(wrong)}`, ...failures] : []),
    ...old.map((line) => `${name}: older than the own write: ${line}`),
    ...(remark?.isFault ? [remark.text] : []),
  ];
}
