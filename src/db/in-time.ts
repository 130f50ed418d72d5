/** The length in milliseconds of the steps in which the elapsed time is counted. */
const step = 100;

/**
 * Waits for a response up to a timeout. The time is counted in short steps on the event loop, so that time during which
 * the process was suspended does not count: the response may have arrived meanwhile without having been read.
 * @throws NoAnswer if the response does not arrive in time
 */
export async function inTime<T>(answer: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    let waited = 0;
    timer = setInterval(() => {
      waited += step;
      if (waited >= milliseconds) reject(new NoAnswer(`There was no answer within ${milliseconds} ms.`));
    }, step);
  });
  return Promise.race([answer, late]).finally(() => clearInterval(timer));
}

export class NoAnswer extends Error {}
