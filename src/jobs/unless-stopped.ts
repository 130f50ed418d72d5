import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Waits for work to complete, but stops waiting `timeout` milliseconds after the signal is aborted. The work itself
 * continues until the process ends, so it must be safe to repeat.
 * @throws the signal's reason after that time
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
