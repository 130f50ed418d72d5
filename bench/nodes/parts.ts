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
  /** @returns what is to be said about it, and whether that is a fault. */
  readonly happen: () => Promise<Remark | undefined>;
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
    happen: async () => {
      await setSynchronous(primary, false);
      await replica.stop('fast');
      await wait(away);
      await replica.start();
      await untilStreaming(primary);
      await setSynchronous(primary, true);
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
  { statuses, old, longest }: Seen,
  remark: Remark | undefined,
): string {
  const seconds = (longest / 1000).toFixed(1);
  const told = `${name}: ${countsOf(statuses)}; ${old} old reads; longest ${seconds} s`;
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
    ...(old > 0 ? [`${name}: ${old} reads older than the own write`] : []),
    ...(remark?.isFault ? [remark.text] : []),
  ];
}
