import { once } from 'node:events';

/**
 * Leaves work that the end of the process will cut off, and that has no effect when it is done again.
 * @throws the reason of the signal once it is aborted.
 */
export async function unlessStopped<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const over = new AbortController();
  const stopped = async (): Promise<never> => {
    if (!signal.aborted) await once(signal, 'abort', { signal: over.signal });
    throw signal.reason;
  };
  return Promise.race([work, stopped()]).finally(() => over.abort());
}
