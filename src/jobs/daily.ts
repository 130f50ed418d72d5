const day = 86_400_000;

/** Told of what becomes of one job. */
export interface Watch {
  readonly onDone: (count: number) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Does some work now and then every day.
 * @param work may look whether it is to end early, and fail then.
 * @returns how to stop: it resolves when work under way has ended.
 */
export function daily(
  work: (isStopping: () => boolean) => Promise<number>,
  { onDone, onError }: Watch,
): () => Promise<void> {
  let isStopping = false;
  let running = Promise.resolve();
  const run = () => {
    running = work(() => isStopping).then(onDone, (error: unknown) => {
      if (!isStopping) onError(error);
    });
  };
  run();
  const timer = setInterval(run, day);
  timer.unref();
  return () => {
    isStopping = true;
    clearInterval(timer);
    return running;
  };
}
