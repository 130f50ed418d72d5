import { setTimeout as delay } from 'node:timers/promises';

/**
 * The minimum and maximum number of milliseconds between two checks. The interval grows, because checks are often
 * requests, which slow down the work that the test waits for.
 */
const pauses = { first: 10, longest: 50 };

/** Resolves when a condition is true. Rejects if it is still false after `timeout` milliseconds. */
export async function until(condition: () => boolean | Promise<boolean>, timeout = 60_000): Promise<void> {
  const end = performance.now() + timeout;
  for (let pause = pauses.first; !(await condition()); pause = Math.min(1.5 * pause, pauses.longest)) {
    if (performance.now() > end) throw new Error(`The condition was still false after ${timeout} ms.`);
    await delay(pause);
  }
}
