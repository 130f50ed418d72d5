/**
 * The number of milliseconds for which work on the data of a caller can block the event loop before other requests get a
 * turn. A read takes about four turns and a write about ten, since each response of the database arrives in a separate turn.
 */
const maxTurn = 8;

let began: number | undefined;

/**
 * Whether the current turn of the event loop has lasted too long. The clock starts at the first call in a turn, so the work
 * of all requests in the turn counts.
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

/** The continuations of work that has yielded, in order. */
const yielded: (() => void)[] = [];

function resumeSome(): void {
  const start = performance.now();
  const resumeNext = (): void => {
    yielded.shift()?.();
    // runs after the resumed work has yielded again
    if (yielded.length > 0) queueMicrotask(() => process.nextTick(goOn));
  };
  const goOn = (): void => {
    if (performance.now() - start < maxTurn) resumeNext();
    else setImmediate(resumeSome);
  };
  resumeNext();
}

/**
 * Yields to the event loop, so that other work gets a turn. Work that has yielded is resumed in order, until the turn has
 * lasted 8 ms. Plain `setImmediate` would not do: Node runs all immediates in one turn, so eight requests that yield after
 * 20 ms each would block the event loop for 160 ms. Resuming only one of them per turn would not do either: short requests
 * would queue behind long ones.
 */
export const yieldToEventLoop = (): Promise<void> =>
  new Promise((resolve) => {
    if (yielded.push(resolve) === 1) setImmediate(resumeSome);
  });

/** Yields if the turn has lasted too long. Short loops should test `isTurnOver()` first, which avoids the `await`. */
export async function yieldWhenOver(): Promise<void> {
  if (isTurnOver()) await yieldToEventLoop();
}

/** Runs a generator to its end. At each `yield`, other work gets a turn if this one has lasted too long. */
export async function inTurns<Result>(steps: Iterator<void, Result>): Promise<Result> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    if (isTurnOver()) await yieldToEventLoop();
  }
}

/** Runs a generator to its end without yielding, for short work. */
export function inOneTurn<Result>(steps: Iterator<void, Result>): Result {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/** Bytes between two steps of work on long texts. The slowest characters take a millisecond. */
export const stepBytes = 2 ** 17;

/** Decodes valid UTF-8 in steps. Decoding 10 MB that are not ASCII at once would block the event loop for 100 ms. */
export function* decodingSteps(bytes: Buffer): Generator<void, string> {
  let text = '';
  for (let start = 0; start < bytes.length; yield) {
    let end = Math.min(start + stepBytes, bytes.length);
    while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1; // does not cut a character
    text += bytes.toString('utf8', start, end);
    start = end;
  }
  return text;
}
