import { hash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { TooManyRequests } from '../errors.ts';

/** Failures count for so many milliseconds after the first of them. */
const lifetime = 60_000;

/** The limit of an address, in limits of one account from it. */
const accountsPerAddress = 10;

/** The least recently used ones are dropped. */
const maxCounters = 100_000;

/** §5: recently failed log-ins, counted by account and address. */
export interface LoginAttempts {
  /** Seconds until another attempt is allowed. */
  secondsBlocked(address: string, account: string | undefined): number | undefined;
  /** False when `secondsBlocked` is undefined for all; this costs nothing. */
  isAnyBlocked(): boolean;
  /** @throws TooManyRequests */
  requireNotBlocked(address: string, account: string | undefined): void;
  recordFailure(address: string, account: string | undefined): void;
  /** Counts a failure that another process had. @param failure as that one named it. */
  recordElsewhere(failure: string): void;
  /**
   * Runs an attempt; the result undefined is a failure. If the attempts under way could together exceed a
   * limit, it waits for one of them. Not within a transaction: the others may wait for its row locks.
   * @throws TooManyRequests
   */
  runCounted<T>(
    address: string,
    account: string | undefined,
    attempt: () => Promise<T | undefined>,
  ): Promise<T | undefined>;
}

/** An IPv6 network of 64 bits counts as one address: it has one owner. */
function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  const ip = ipaddr.IPv6.parse(address);
  return ip.isIPv4MappedAddress() ? ip.toIPv4Address().toString() : ip.parts.slice(0, 4).join(':');
}

export const tooManyFailuresMessage = (seconds: number): string =>
  `too many failed log-ins; try again in ${seconds} s`;

interface Counter {
  readonly key: string;
  readonly limit: number;
}

function countersOf(address: string, account: string | undefined, limit: number): Counter[] {
  const network = networkOf(address);
  const whole = { key: network, limit: limit * accountsPerAddress };
  // A hash bounds the length of the key: the account is whatever the caller wrote.
  return account === undefined ? [whole] : [{ key: `${network}/${hash('sha256', account)}`, limit }, whole];
}

interface FailureCallbacks {
  readonly onFailure?: (address: string, account: string | undefined) => void;
  /** For the other processes. @param failure has no spaces, and no account that can be read. */
  readonly tellOthers?: (failure: string) => void;
}

/**
 * Counts failed log-ins. rate-limiter-flexible would not do: its counters are unbounded, and read
 * asynchronously.
 * @param limit failures of an account from one address in a minute (LOGIN_FAILURES).
 */
export function createLoginAttempts(
  limit: number,
  clock: { now(): number } = performance,
  { onFailure, tellOthers }: FailureCallbacks = {},
): LoginAttempts {
  const failures = new LRUCache<string, number>({
    maxSize: maxCounters, // with `max` all of them would be allocated now
    sizeCalculation: () => 1,
    ttl: lifetime,
    noUpdateTTL: true,
    ttlResolution: 0,
    perf: clock,
  });
  const running = new Map<string, number>();
  const waiting: Array<() => void> = [];
  /** No counter is at its limit after this time. */
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
  const mayExceed = (counter: Counter): boolean =>
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
      while (counters.some(mayExceed)) {
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
