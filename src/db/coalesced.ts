interface Coalesced<T> {
  /** Resolves with the result of a run that starts after this call. */
  readonly ask: () => Promise<T>;
  /** Resolves when the current run has ended. */
  readonly settled: () => Promise<unknown>;
}

/**
 * Runs a task at most once at a time. Calls made during a run share the next run, so each caller gets a result that is
 * newer than its call, and any number of calls made during one run cause only one further run.
 */
export function coalesced<T>(work: () => Promise<T>): Coalesced<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  const ask = () => {
    next ??= running.then(() => {
      next = undefined;
      const now = work();
      running = now.catch(() => undefined);
      return now;
    });
    return next;
  };
  return { ask, settled: () => running };
}
