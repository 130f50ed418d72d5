import { setTimeout } from 'node:timers/promises';

/** Milliseconds between two looks; many are requests, which keep the machine from what is waited for. */
const pauses = { first: 10, longest: 50 };

/** Resolves as soon as something is so; rejects when it is not within the milliseconds given. */
export async function until(isSo: () => boolean | Promise<boolean>, patience = 60_000): Promise<void> {
  const end = performance.now() + patience;
  for (let pause = pauses.first; !(await isSo()); pause = Math.min(1.5 * pause, pauses.longest)) {
    if (performance.now() > end) throw new Error(`it was not so within ${patience} ms`);
    await setTimeout(pause);
  }
}
