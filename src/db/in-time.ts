/** Milliseconds of a step. */
const step = 100;

/**
 * Waits for an answer, though not for longer than so many milliseconds. They are counted in steps: while the
 * machine does not run this process, an answer may have arrived.
 * @throws Error when it does not arrive in time.
 */
export async function inTime<T>(answer: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    let waited = 0;
    timer = setInterval(() => {
      waited += step;
      if (waited >= milliseconds) reject(new NoAnswer(`no answer within ${milliseconds} ms`));
    }, step);
  });
  return Promise.race([answer, late]).finally(() => clearInterval(timer));
}

export class NoAnswer extends Error {}
