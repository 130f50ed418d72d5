interface Coalesced<T> {
  /** Resolves with the answer of a run that begins after this call. */
  readonly ask: () => Promise<T>;
  /** Resolves when no run is under way. */
  readonly settled: () => Promise<unknown>;
}

/** Runs work once at a time: callers that ask while a run is under way share the next one. */
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
