/** Milliseconds for which the data of a caller may hold the event loop before other requests get a turn. */
const maxTurn = 20;

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

function resumeNext(): void {
  yielded.shift()?.();
  if (yielded.length > 0) setImmediate(resumeNext);
}

/**
 * Lets the event loop do what else waits. One call goes on in each turn: Node runs all its immediates in one turn, so
 * that eight requests that yield after 20 ms would hold the event loop for 160 ms.
 */
export const yieldToEventLoop = (): Promise<void> =>
  new Promise((resolve) => {
    if (yielded.push(resolve) === 1) setImmediate(resumeNext);
  });

/** For loops over data of callers, between two items: `if (isTurnOver()) await …` costs less in short loops. */
export async function yieldWhenOver(): Promise<void> {
  if (isTurnOver()) await yieldToEventLoop();
}
