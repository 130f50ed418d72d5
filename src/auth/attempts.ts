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
  /** @throws TooManyRequests when there were too many of this account from this address, or from this address. */
  admit(address: string, account: string | undefined): void;
  /**
   * Runs an attempt, which counts as failed until it has found something: so many at once are not more than one by one.
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

/**
 * @param limit failures of an account from one address in a minute (LOGIN_FAILURES).
 * @param clock what the time is, in milliseconds.
 */
export function createAttempts(limit: number, clock: { now(): number } = performance): Attempts {
  // A minute from the first failure on: the later ones do not make it longer.
  const lifetime = { ttl: minute, noUpdateTTL: true, ttlResolution: 0, perf: clock };
  const failures = new LRUCache<string, number>({ max: kept, ...lifetime });

  /** What is counted, and how often that may be; an account by its hash, since anybody may name a long one. */
  const counters = (address: string, account: string | undefined): ReadonlyArray<[string, number]> => {
    const network = networkOf(address);
    const whole: [string, number] = [network, limit * accountsPerAddress];
    return account === undefined ? [whole] : [[`${network} ${hash('sha256', account)}`, limit], whole];
  };
  const add = (key: string, count: number): void => {
    const sum = (failures.get(key) ?? 0) + count;
    if (sum > 0) failures.set(key, sum);
    else failures.delete(key);
  };

  const admit: Attempts['admit'] = (address, account) => {
    const full = counters(address, account).filter(([key, most]) => (failures.get(key) ?? 0) >= most);
    if (full.length === 0) return;
    const left = Math.max(...full.map(([key]) => failures.getRemainingTTL(key)));
    const seconds = Math.max(1, Math.ceil(left / 1000));
    throw new TooManyRequests(`too many failed log-ins; try again in ${seconds} s`, seconds);
  };

  return {
    admit,
    count: async (address, account, attempt) => {
      admit(address, account);
      const keys = counters(address, account).map(([key]) => key);
      const forgive = () => {
        for (const key of keys) add(key, -1);
      };
      for (const key of keys) add(key, 1);
      try {
        const found = await attempt();
        if (found !== undefined) forgive();
        return found;
      } catch (error) {
        forgive(); // nobody knows whether it would have failed
        throw error;
      }
    },
  };
}
