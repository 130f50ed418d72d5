const day = 86_400_000;

export interface DailyCallbacks {
  readonly onDone: (count: number) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Does some work at once, and again every day.
 * @param work may ask whether it is to end early, and throw then.
 * @returns a function that stops it: it resolves when work under way has ended.
 */
export function runDaily(
  work: (isStopping: () => boolean) => Promise<number>,
  { onDone, onError }: DailyCallbacks,
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
