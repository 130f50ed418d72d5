import { hash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { TooManyRequests } from '../errors.ts';

/** The number of milliseconds, measured from the first failure, during which a counter counts failures. */
const lifetime = 60_000;

/** The limit on failures for all accounts from one address, as a multiple of the limit for one account. */
const accountsPerAddress = 10;

/** The maximum number of counters. If it is exceeded, the least recently used counter is deleted. */
const maxCounters = 100_000;

/** §5: limits failed log-ins by account and address, which prevents guessing passwords. */
export interface LoginAttempts {
  /** Returns the number of seconds until another attempt is allowed; undefined if it is allowed now. */
  secondsBlocked(address: string, account: string | undefined): number | undefined;
  /** Returns whether any account or address may be blocked. This call is cheaper than `secondsBlocked`. */
  isAnyBlocked(): boolean;
  /** @throws TooManyRequests if the account or the address is blocked. */
  requireNotBlocked(address: string, account: string | undefined): void;
  recordFailure(address: string, account: string | undefined): void;
  /**
   * Counts a failure that another process has reported. @param failure the text that the other process passed to
   * `tellOthers`
   */
  recordElsewhere(failure: string): void;
  /**
   * Runs a log-in attempt and counts a failure if its result is undefined. If this attempt and those in progress could
   * together exceed a limit, the attempt waits until one of them ends; otherwise, parallel requests could try more
   * passwords than the limit allows. Must not be called within a transaction: the other attempts may be waiting for row
   * locks that this transaction holds, which would cause a deadlock.
   * @throws TooManyRequests if the account or the address is blocked.
   */
  runCounted<T>(
    address: string,
    account: string | undefined,
    attempt: () => Promise<T | undefined>,
  ): Promise<T | undefined>;
}

/**
 * Returns the network to which the failures of an address are attributed. For IPv6, this is the /64 network, which
 * usually belongs to one customer.
 */
function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  const ip = ipaddr.IPv6.parse(address);
  return ip.isIPv4MappedAddress() ? ip.toIPv4Address().toString() : ip.parts.slice(0, 4).join(':');
}

export const tooManyFailuresMessage = (seconds: number): string =>
  `Too many failed sign-ins; try again in ${seconds} s.`;

interface Counter {
  readonly key: string;
  readonly limit: number;
}

/**
 * Returns the normalized form of a name under which failures are counted. Directories may ignore case, accents, spaces
 * and invisible characters in names, so attempts with different spellings of a name must count towards the same limit.
 */
const countedName = (account: string): string =>
  account
    .normalize('NFKD')
    .replace(/[\p{M}\p{C}\s]/gu, '')
    .toLowerCase();

function countersOf(address: string, account: string | undefined, limit: number): Counter[] {
  const network = networkOf(address);
  const whole = { key: network, limit: limit * accountsPerAddress };
  if (account === undefined) return [whole];
  // The account is hashed because callers can send names of any length.
  return [{ key: `${network}/${hash('sha256', countedName(account))}`, limit }, whole];
}

interface FailureCallbacks {
  readonly onFailure?: (address: string, account: string | undefined) => void;
  /**
   * Reports a failure to the other processes. @param failure a text without spaces that contains a hash of the account
   * name
   */
  readonly tellOthers?: (failure: string) => void;
}

/**
 * Counts failed log-ins in memory. The package rate-limiter-flexible is not used, because it does not limit the number
 * of counters and because it reads them asynchronously.
 * @param limit the maximum number of failures per minute for one account from one address (LOGIN_FAILURES).
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
  /** The time from which no counter is at its limit any more. */
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
