import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Waits for work, but no longer than `timeout` milliseconds after the signal is aborted. The work itself goes on until
 * the process ends, so it must be safe to repeat.
 * @throws the reason of the signal when the timeout is over
 */
export async function unlessStopped<Result>(
  signal: AbortSignal,
  work: Promise<Result>,
  timeout = 0,
): Promise<Result> {
  const over = new AbortController();
  const stopped = async (): Promise<never> => {
    if (!signal.aborted) await once(signal, 'abort', { signal: over.signal });
    await wait(timeout, undefined, { signal: over.signal });
    throw signal.reason;
  };
  return Promise.race([work, stopped()]).finally(() => over.abort());
}
