/**
 * The maximum number of milliseconds that work on a caller's data can block the event loop before other requests get a
 * turn. A read takes about four turns and a write about ten, because each database response arrives in a separate turn.
 */
const maxTurn = 4;

let began: number | undefined;

/**
 * Returns whether the current turn of the event loop has lasted too long. The time is measured from the first call in
 * the turn, so it includes the work of all requests in the turn.
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

/** The callbacks that resume work that has yielded, in the order in which it yielded. */
const yielded: (() => void)[] = [];

function resumeSome(): void {
  const start = performance.now();
  const resumeNext = (): void => {
    yielded.shift()?.();
    // This runs once the resumed work has yielded again.
    if (yielded.length > 0) queueMicrotask(() => process.nextTick(goOn));
  };
  const goOn = (): void => {
    if (performance.now() - start < maxTurn) resumeNext();
    else setImmediate(resumeSome);
  };
  resumeNext();
}

/**
 * Yields to the event loop, so that other work gets a turn. Work that has yielded is resumed in order, until the turn
 * has lasted 4 ms. Plain `setImmediate` is not sufficient: Node runs all immediates in one turn, so eight requests that
 * each work for 20 ms before yielding would block the event loop for 160 ms. Resuming only one of them per turn is not
 * sufficient either, because short requests would queue behind long ones.
 */
export const yieldToEventLoop = (): Promise<void> =>
  new Promise((resolve) => {
    if (yielded.push(resolve) === 1) setImmediate(resumeSome);
  });

/**
 * Yields if the current turn has lasted too long. Short loops should call `isTurnOver()` first to avoid the cost of
 * `await`.
 */
export async function yieldWhenOver(): Promise<void> {
  if (isTurnOver()) await yieldToEventLoop();
}

/** Runs a generator to its end. At each `yield`, other work gets a turn if the current turn has lasted too long. */
export async function inTurns<Result>(steps: Iterator<void, Result>): Promise<Result> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    if (isTurnOver()) await yieldToEventLoop();
  }
}

/** Runs a generator to its end without giving other work a turn. Use it only for short work. */
export function inOneTurn<Result>(steps: Iterator<void, Result>): Result {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/**
 * The number of bytes of a long text to process before checking again whether the turn is over. For the slowest
 * characters, such a step takes a millisecond.
 */
export const stepBytes = 2 ** 17;

/** Decodes valid UTF-8 in steps. Decoding 10 MB of non-ASCII text at once would block the event loop for 100 ms. */
export function* decodingSteps(bytes: Buffer): Generator<void, string> {
  let text = '';
  for (let start = 0; start < bytes.length; yield) {
    let end = Math.min(start + stepBytes, bytes.length);
    while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1; // Do not split a character.
    text += bytes.toString('utf8', start, end);
    start = end;
  }
  return text;
}

/** The interval at which the elapsed time is counted, in milliseconds. */
const step = 100;

/**
 * Waits for a response up to a timeout. The time is counted in short steps on the event loop, so that time during which
 * the process was suspended does not count: the response may have arrived in the meantime without having been read.
 * @throws NoAnswer if the response does not arrive in time
 */
export async function inTime<T>(
  answer: Promise<T>,
  milliseconds: number,
  message = `There was no response within ${milliseconds} ms.`,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    let waited = 0;
    timer = setInterval(() => {
      waited += step;
      if (waited >= milliseconds) reject(new NoAnswer(message));
    }, step);
  });
  return Promise.race([answer, late]).finally(() => clearInterval(timer));
}

export class NoAnswer extends Error {}
