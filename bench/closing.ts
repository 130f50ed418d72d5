type Close = () => Promise<unknown>;

const closers: Close[] = [];
let ending: Promise<void> | undefined;

/**
 * Registers a function that stops something before it is started. The last one registered runs first.
 * @throws Error when the benchmark is already ending, so that nothing more is started
 */
export function atEnd(close: Close): void {
  if (ending) throw new Error('The benchmark is ending.');
  closers.push(close);
}

async function closeAll(): Promise<void> {
  for (let close = closers.pop(); close; close = closers.pop()) {
    await close().catch((error: unknown) => console.error('could not clean up:', error));
  }
}

/** Stops everything that was started. Further calls wait for the first one. */
function endAll(): Promise<void> {
  ending ??= closeAll();
  return ending;
}

/** Whether the benchmark is ending, which makes running requests fail. */
const isEnding = (): boolean => ending !== undefined;

/** Stops everything on a signal and on an uncaught error. */
function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void endAll().then(() => process.exit(130)));
  }
  process.on('uncaughtException', (error) => {
    if (!isEnding()) console.error(error);
    void endAll().then(() => process.exit(1));
  });
}

/** Runs a benchmark, stops everything that it started, and exits with 1 if it failed. */
export async function toTheEnd(main: () => Promise<void>): Promise<never> {
  endOnSignals();
  try {
    await main();
  } catch (error) {
    if (!isEnding()) console.error(error);
    process.exitCode = 1;
  }
  await endAll();
  process.exit();
}
