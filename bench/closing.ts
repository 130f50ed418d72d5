type Close = () => Promise<unknown>;

const closers: Close[] = [];
let ending: Promise<void> | undefined;

/**
 * Registers a function that stops something. Register the function before starting what it stops. Functions run in
 * reverse order of registration.
 * @throws Error if the benchmark is already ending, so that nothing more is started
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

/** Stops everything that was started. Later calls wait for the first one. */
function endAll(): Promise<void> {
  ending ??= closeAll();
  return ending;
}

/** Returns whether the benchmark is ending. While it is ending, requests in progress fail. */
const isEnding = (): boolean => ending !== undefined;

/** Stops everything when the process receives a signal or throws an uncaught error. */
function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void endAll().then(() => process.exit(130)));
  }
  process.on('uncaughtException', (error) => {
    if (!isEnding()) console.error(error);
    void endAll().then(() => process.exit(1));
  });
}

/** Runs a benchmark, stops everything that it has started, and exits with code 1 if the benchmark failed. */
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
