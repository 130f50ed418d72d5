import { Fault, ownHeaders, refusal, signedInAgain } from '../graphql/client.ts';

/** The number of seconds to wait before each retry after the connection was lost. */
const pauses = [1, 2, 4, 8, 15, 30, 30, 30];

/**
 * The statuses and codes of temporary errors, for example if the server is busy or an earlier attempt is still running
 * (409).
 */
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

/** Thrown when the session has ended. */
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
 * Runs a request, and retries it after a lost connection or a temporary error.
 * @throws Fault for a permanent error; the signal's reason if the signal is aborted
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

/** Sends a request to the REST API, which is a POST request by default. @throws SignedOut, Fault */
export async function post<Answer>(
  address: string,
  { method = 'POST', headers, body }: Pick<RequestInit, 'method' | 'headers' | 'body'> = {},
): Promise<Answer> {
  const sent = { method, headers: { ...ownHeaders(), ...headers }, body };
  const response = await fetch(address, sent);
  if (response.status === 401) throw new SignedOut();
  if (!response.ok) throw refusal(response, await response.text());
  return response.json();
}
