import { Fault, ownHeaders, refusal, signedInAgain } from '../graphql/client.ts';

/** Seconds between attempts after the connection was lost. */
const pauses = [1, 2, 4, 8, 15, 30, 30, 30];

/** What the server cannot do just now, or what an attempt before this one is still doing. */
const temporary = new Set([
  '409',
  '429',
  '502',
  '503',
  '504',
  '507',
  'CONFLICT',
  'TOO_MANY_REQUESTS',
  'TIMED_OUT',
  'UNAVAILABLE',
  'INSUFFICIENT_STORAGE',
]);

/** The session has ended. */
export class SignedOut extends Error {}

const wait = (seconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const now = () => {
      clearTimeout(timer);
      removeEventListener('online', now);
      signal.removeEventListener('abort', now);
      resolve();
    };
    const timer = setTimeout(now, seconds * 1000);
    addEventListener('online', now);
    signal.addEventListener('abort', now);
  });

/**
 * Tries again as long as the connection is lost, or the server cannot do it.
 * @throws Fault for what is refused for good, and what the signal was aborted for
 */
export async function persistently<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (const pause of pauses) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || (error instanceof Fault && !temporary.has(error.code))) throw error;
      if (!(error instanceof SignedOut)) await wait(pause, signal);
      else if (!(await signedInAgain())) throw error;
    }
  }
  signal.throwIfAborted();
  return work();
}

/** A POST to REST. @throws SignedOut, Fault */
export async function post<Answer>(
  address: string,
  { headers, body }: Pick<RequestInit, 'headers' | 'body'> = {},
): Promise<Answer> {
  const sent = { method: 'POST', headers: { ...ownHeaders(), ...headers }, body };
  const response = await fetch(address, sent);
  if (response.status === 401) throw new SignedOut();
  if (!response.ok) throw refusal(response, await response.text());
  return response.json();
}
