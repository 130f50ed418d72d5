import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds between two checks. They grow, because checks are often requests, which slow down the awaited work. */
const pauses = { first: 10, longest: 50 };

/** Resolves when a condition is true; rejects if it is still false after `timeout` milliseconds. */
export async function until(condition: () => boolean | Promise<boolean>, timeout = 60_000): Promise<void> {
  const end = performance.now() + timeout;
  for (let pause = pauses.first; !(await condition()); pause = Math.min(1.5 * pause, pauses.longest)) {
    if (performance.now() > end) throw new Error(`The condition was still false after ${timeout} ms.`);
    await delay(pause);
  }
}
