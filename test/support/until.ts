import { setTimeout } from 'node:timers/promises';

/** Resolves as soon as something is so; rejects when it is not within the milliseconds given. */
export async function until(isSo: () => boolean | Promise<boolean>, patience = 60_000): Promise<void> {
  const end = performance.now() + patience;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`it was not so within ${patience} ms`);
    await setTimeout(10);
  }
}
