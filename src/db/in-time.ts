/** The interval at which waiting time is counted, in milliseconds. */
const step = 100;

/**
 * Waits for an answer up to a timeout. The time is counted in steps of the event loop. If the process was suspended, the
 * time of the suspension does not count, because the answer may have arrived and only not been read yet.
 * @throws NoAnswer when the answer does not arrive in time
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
