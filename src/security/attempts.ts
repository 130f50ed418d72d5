import { hash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';
import { TooManyRequests } from '../errors.ts';

/** How long a failure counts, in milliseconds. */
const minute = 60_000;

/** How many more failures an address may have than one account has from there. */
const accountsPerAddress = 10;

/** Counters kept; beyond that the ones that were used least of late are forgotten. */
const kept = 100_000;

/** §5: failed log-ins of late, by account and address. */
export interface Attempts {
  /** Seconds until there may be more, after too many of this account from this address, or from this address. */
  barredFor(address: string, account: string | undefined): number | undefined;
  /** Whether anybody may be barred now: asking costs nothing. */
  areAnyBarred(): boolean;
  /** @throws TooManyRequests whom `barredFor` names a time for. */
  admit(address: string, account: string | undefined): void;
  /** Counts a failure. */
  failed(address: string, account: string | undefined): void;
  /**
   * Runs an attempt, which fails when it finds nothing. Where those under way might be failures too many, it waits for
   * one of them: many at once are no more than one by one. Not for a transaction, which others may be waiting for.
   * @throws TooManyRequests
   */
  count<T>(
    address: string,
    account: string | undefined,
    attempt: () => Promise<T | undefined>,
  ): Promise<T | undefined>;
}

/** Whoever has one address of a network of IPv6 has all of it. */
function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail = ''] = address.replace(/%.*$/, '').split('::');
  const [first, last] = [head, tail].map((part) => part.split(':').filter(Boolean)) as [string[], string[]];
  const zeros = address.includes('::') ? Array(8 - first.length - last.length).fill('0') : [];
  return [...first, ...zeros, ...last]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

/** Told of each failure that is counted. */
export type OnFailure = (address: string, account: string | undefined) => void;

type Failures = Pick<Attempts, 'barredFor' | 'areAnyBarred' | 'admit' | 'failed'> & {
  /** What is counted of an attempt, and how often that may fail. */
  readonly counters: (address: string, account: string | undefined) => ReadonlyArray<[string, number]>;
  readonly count: (key: string) => number;
};

/** What whoever is barred is told. */
export const tooMany = (seconds: number): string => `too many failed log-ins; try again in ${seconds} s`;

function createFailures(limit: number, clock: { now(): number }, onFailure: OnFailure): Failures {
  // A minute from the first failure on: the later ones do not make it longer.
  const lifetime = { ttl: minute, noUpdateTTL: true, ttlResolution: 0, perf: clock };
  const cache = new LRUCache<string, number>({ max: kept, ...lifetime });
  const count: Failures['count'] = (key) => cache.get(key) ?? 0;

  const counters: Failures['counters'] = (address, account) => {
    const network = networkOf(address);
    const whole: [string, number] = [network, limit * accountsPerAddress];
    // By its hash, since anybody may name a long one.
    return account === undefined ? [whole] : [[`${network} ${hash('sha256', account)}`, limit], whole];
  };
  /** Until when any counter may be full. */
  let fullUntil = Number.NEGATIVE_INFINITY;
  const areAnyBarred = () => clock.now() <= fullUntil;
  const barredFor: Failures['barredFor'] = (address, account) => {
    const full = counters(address, account).filter(([key, most]) => count(key) >= most);
    if (full.length === 0) return undefined;
    const left = Math.max(...full.map(([key]) => cache.getRemainingTTL(key)));
    return Math.max(1, Math.ceil(left / 1000));
  };
  return {
    ...{ counters, count, areAnyBarred, barredFor },
    admit: (address, account) => {
      const seconds = areAnyBarred() ? barredFor(address, account) : undefined;
      if (seconds !== undefined) throw new TooManyRequests(tooMany(seconds), seconds);
    },
    failed: (address, account) => {
      for (const [key, most] of counters(address, account)) {
        cache.set(key, count(key) + 1);
        if (count(key) >= most) fullUntil = clock.now() + minute;
      }
      onFailure(address, account);
    },
  };
}

/**
 * @param limit failures of an account from one address in a minute (LOGIN_FAILURES).
 * @param clock what the time is, in milliseconds.
 */
export function createAttempts(
  limit: number,
  clock: { now(): number } = performance,
  onFailure: OnFailure = () => {},
): Attempts {
  const { counters, count: failuresOf, admit, ...failures } = createFailures(limit, clock, onFailure);
  const { failed } = failures;
  /** Attempts under way. */
  const running = new Map<string, number>();
  const waiting: Array<() => void> = [];
  const run = (keys: readonly string[], change: 1 | -1): void => {
    for (const key of keys) {
      const count = (running.get(key) ?? 0) + change;
      if (count > 0) running.set(key, count);
      else running.delete(key);
    }
  };
  const mayFail = ([key, most]: readonly [string, number]): boolean =>
    failuresOf(key) + (running.get(key) ?? 0) < most;

  return {
    ...{ ...failures, admit },
    count: async (address, account, attempt) => {
      const counted = counters(address, account);
      for (admit(address, account); !counted.every(mayFail); admit(address, account)) {
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      const keys = counted.map(([key]) => key);
      run(keys, 1);
      try {
        const found = await attempt();
        if (found === undefined) failed(address, account);
        return found;
      } finally {
        run(keys, -1);
        for (const wake of waiting.splice(0)) wake();
      }
    },
  };
}
