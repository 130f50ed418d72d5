import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Leaves work that the end of the process will cut off, and that has no effect when it is done again.
 * @param patience milliseconds that it has to end by itself.
 * @throws the reason of the signal that long after it is aborted.
 */
export async function unlessStopped<Result>(
  signal: AbortSignal,
  work: Promise<Result>,
  patience = 0,
): Promise<Result> {
  const over = new AbortController();
  const stopped = async (): Promise<never> => {
    if (!signal.aborted) await once(signal, 'abort', { signal: over.signal });
    await wait(patience, undefined, { signal: over.signal });
    throw signal.reason;
  };
  return Promise.race([work, stopped()]).finally(() => over.abort());
}
