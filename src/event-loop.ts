/**
 * Milliseconds for which the data of a caller may hold the event loop before other requests get a turn. A read takes
 * some four turns and a write some ten, since each answer of the database arrives in a turn of its own.
 */
const maxTurn = 8;

let began: number | undefined;

/**
 * Whether this turn of the event loop has worked on data of callers for too long. The clock starts at the first call
 * in a turn, so all work of the turn counts, whoever does it.
 */
export function isTurnOver(): boolean {
  const now = performance.now();
  if (began === undefined) {
    began = now;
    setImmediate(() => {
      began = undefined;
    });
  }
  return now - began > maxTurn;
}

/** Work that has yielded, in order. */
const yielded: (() => void)[] = [];

function resumeSome(): void {
  const start = performance.now();
  const resumeNext = (): void => {
    yielded.shift()?.();
    if (yielded.length > 0) queueMicrotask(() => process.nextTick(goOn)); // after what was resumed has paused
  };
  const goOn = (): void => {
    if (performance.now() - start < maxTurn) resumeNext();
    else setImmediate(resumeSome);
  };
  resumeNext();
}

/**
 * Lets the event loop do what else waits. Work that has yielded goes on in order, in each turn until the turn has
 * lasted for long enough: Node runs all its immediates in one turn, so that eight requests that yield after 20 ms would
 * hold the event loop for 160 ms. If only one went on in each turn, requests that need little time would queue up
 * behind those that need much.
 */
export const yieldToEventLoop = (): Promise<void> =>
  new Promise((resolve) => {
    if (yielded.push(resolve) === 1) setImmediate(resumeSome);
  });

/** For loops over data of callers, between two items: `if (isTurnOver()) await …` costs less in short loops. */
export async function yieldWhenOver(): Promise<void> {
  if (isTurnOver()) await yieldToEventLoop();
}
