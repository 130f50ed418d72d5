type Close = () => Promise<unknown>;

const closers: Close[] = [];
let ending: Promise<void> | undefined;

/**
 * Keeps what ends a thing, before the thing is started; the last one is ended first.
 * @throws Error when the end has begun: then nothing may be started any more.
 */
export function atEnd(close: Close): void {
  if (ending) throw new Error('the benchmark is ending');
  closers.push(close);
}

async function closeAll(): Promise<void> {
  for (let close = closers.pop(); close; close = closers.pop()) {
    await close().catch((error: unknown) => console.error('could not clean up:', error));
  }
}

/** Ends everything that was started, once, however often it is called. */
function endAll(): Promise<void> {
  ending ??= closeAll();
  return ending;
}

/** Whether the end has begun: what fails then, fails because of it. */
const isEnding = (): boolean => ending !== undefined;

/** Ends everything when the benchmark is told to stop, or fails where nobody catches it. */
function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void endAll().then(() => process.exit(130)));
  }
  process.on('uncaughtException', (error) => {
    if (!isEnding()) console.error(error);
    void endAll().then(() => process.exit(1));
  });
}

/** Runs a whole benchmark, ends what it started, and exits: with 1 when it failed. */
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
