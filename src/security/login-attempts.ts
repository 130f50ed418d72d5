import { hash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { TooManyRequests } from '../errors.ts';

/** The number of milliseconds after the first failure of a counter in which further failures are added to it. */
const lifetime = 60_000;

/** The limit of failures from one address, as a multiple of the limit of one account from it. */
const accountsPerAddress = 10;

/** The maximum number of counters. The least recently used ones are dropped. */
const maxCounters = 100_000;

/** §5: limits failed log-ins by account and address, so that passwords cannot be guessed. */
export interface LoginAttempts {
  /** The number of seconds until another attempt is allowed; undefined if it is allowed now. */
  secondsBlocked(address: string, account: string | undefined): number | undefined;
  /** Whether any account or address may be blocked. Calling this is cheaper than `secondsBlocked`. */
  isAnyBlocked(): boolean;
  /** @throws TooManyRequests if the account or the address is blocked. */
  requireNotBlocked(address: string, account: string | undefined): void;
  /** Counts a failed attempt. */
  recordFailure(address: string, account: string | undefined): void;
  /** Counts a failure in another process. @param failure the text that `tellOthers` was called with there. */
  recordElsewhere(failure: string): void;
  /**
   * Runs an attempt to log in and counts a failure if its result is undefined. If the attempts that are running could
   * together exceed a limit, it waits for one of them. It must not be called within a transaction, because the attempts for
   * which it waits could be waiting for row locks of that transaction.
   * @throws TooManyRequests if the account or the address is blocked.
   */
  runCounted<T>(
    address: string,
    account: string | undefined,
    attempt: () => Promise<T | undefined>,
  ): Promise<T | undefined>;
}

/** The network of an address. An IPv6 network of 64 bits counts as one address, because it belongs to one customer. */
function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  const ip = ipaddr.IPv6.parse(address);
  return ip.isIPv4MappedAddress() ? ip.toIPv4Address().toString() : ip.parts.slice(0, 4).join(':');
}

export const tooManyFailuresMessage = (seconds: number): string =>
  `Too many failed log-ins; try again in ${seconds} s.`;

interface Counter {
  readonly key: string;
  readonly limit: number;
}

function countersOf(address: string, account: string | undefined, limit: number): Counter[] {
  const network = networkOf(address);
  const whole = { key: network, limit: limit * accountsPerAddress };
  // The account is hashed because callers can send names of any length.
  return account === undefined ? [whole] : [{ key: `${network}/${hash('sha256', account)}`, limit }, whole];
}

interface FailureCallbacks {
  readonly onFailure?: (address: string, account: string | undefined) => void;
  /** Reports a failure to the other processes. @param failure a text without spaces, in which the account is hashed. */
  readonly tellOthers?: (failure: string) => void;
}

/**
 * Counts failed log-ins in memory. The package rate-limiter-flexible is not suitable, because the number of its counters is
 * unlimited and reading them is asynchronous.
 * @param limit the maximum number of failures of an account from one address in a minute (LOGIN_FAILURES).
 */
export function createLoginAttempts(
  limit: number,
  clock: { now(): number } = performance,
  { onFailure, tellOthers }: FailureCallbacks = {},
): LoginAttempts {
  const failures = new LRUCache<string, number>({
    maxSize: maxCounters, // the option `max` would allocate all entries immediately
    sizeCalculation: () => 1,
    ttl: lifetime,
    noUpdateTTL: true,
    ttlResolution: 0,
    perf: clock,
  });
  const running = new Map<string, number>();
  const waiting: Array<() => void> = [];
  /** The time after which no counter is at its limit. */
  let blockedUntil = Number.NEGATIVE_INFINITY;

  const failuresOf = ({ key }: Counter): number => failures.get(key) ?? 0;
  const isAnyBlocked = (): boolean => clock.now() <= blockedUntil;
  const secondsBlocked: LoginAttempts['secondsBlocked'] = (address, account) => {
    const full = countersOf(address, account, limit).filter(
      (counter) => failuresOf(counter) >= counter.limit,
    );
    if (full.length === 0) return undefined;
    const left = Math.max(...full.map(({ key }) => failures.getRemainingTTL(key)));
    return Math.max(1, Math.ceil(left / 1000));
  };
  const requireNotBlocked: LoginAttempts['requireNotBlocked'] = (address, account) => {
    const seconds = isAnyBlocked() ? secondsBlocked(address, account) : undefined;
    if (seconds !== undefined) throw new TooManyRequests(tooManyFailuresMessage(seconds), seconds);
  };
  const add = (counter: Counter): void => {
    const count = failuresOf(counter) + 1;
    failures.set(counter.key, count);
    if (count >= counter.limit) blockedUntil = clock.now() + lifetime;
  };
  const recordFailure: LoginAttempts['recordFailure'] = (address, account) => {
    const counters = countersOf(address, account, limit);
    for (const counter of counters) add(counter);
    onFailure?.(address, account);
    tellOthers?.(encodeURIComponent(counters[0]?.key ?? ''));
  };
  const recordElsewhere: LoginAttempts['recordElsewhere'] = (failure) => {
    const key = decodeURIComponent(failure);
    const end = key.indexOf('/');
    if (end >= 0) add({ key, limit });
    add({ key: end < 0 ? key : key.slice(0, end), limit: limit * accountsPerAddress });
  };
  const addRunning = (counters: readonly Counter[], change: 1 | -1): void => {
    for (const { key } of counters) {
      const count = (running.get(key) ?? 0) + change;
      if (count > 0) running.set(key, count);
      else running.delete(key);
    }
  };
  const couldExceed = (counter: Counter): boolean =>
    failuresOf(counter) + (running.get(counter.key) ?? 0) >= counter.limit;

  return {
    secondsBlocked,
    isAnyBlocked,
    requireNotBlocked,
    recordFailure,
    recordElsewhere,
    runCounted: async (address, account, attempt) => {
      const counters = countersOf(address, account, limit);
      requireNotBlocked(address, account);
      while (counters.some(couldExceed)) {
        await new Promise<void>((resolve) => waiting.push(resolve));
        requireNotBlocked(address, account);
      }
      addRunning(counters, 1);
      try {
        const result = await attempt();
        if (result === undefined) recordFailure(address, account);
        return result;
      } finally {
        addRunning(counters, -1);
        for (const wake of waiting.splice(0)) wake();
      }
    },
  };
}
