import { basic } from './users.ts';

/** What clients have seen. */
export interface Seen {
  /** How often each status was answered; 0 is no answer. */
  readonly statuses: Map<number, number>;
  /** Requests and their statuses that are not successes, the first of them. */
  readonly failures: string[];
  /** Reads and searches that were older than what their caller had written. */
  old: number;
  longest: number;
}

export const nothingSeen = (): Seen => ({ statuses: new Map(), failures: [], old: 0, longest: 0 });

const mostFailures = 20;

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** @param body sent as JSON, unless it is a text with a media type of its own. */
export type Ask = (
  method: string,
  path: string,
  body?: object | string,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>;

/** Asks as a user, who returns cookies or does not. */
export function asker(url: string, user: string, keepsCookies: boolean, seen: () => Seen): Ask {
  let cookie = '';
  return async (method, path, body, more) => {
    const now = seen();
    const began = performance.now();
    const headers: Record<string, string> = {
      authorization: basic(user),
      'content-type': 'application/json',
      ...more,
    };
    if (keepsCookies && cookie) headers.cookie = cookie;
    let answer: Answer = { status: 0, text: '' };
    try {
      const sent = typeof body === 'string' ? body : JSON.stringify(body);
      const response = await fetch(`${url}/api/v1${path}`, { method, headers, ...(sent && { body: sent }) });
      cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie;
      answer = { status: response.status, text: await response.text() };
    } catch (error) {
      answer = { status: 0, text: String((error as Error).cause ?? error) };
    }
    const { status, text } = answer;
    const time = performance.now() - began;
    now.statuses.set(status, (now.statuses.get(status) ?? 0) + 1);
    now.longest = Math.max(now.longest, time);
    if ((status === 0 || status >= 300) && now.failures.length < mostFailures)
      now.failures.push(`${method} ${path}: ${status} after ${Math.round(time)} ms: ${text.slice(0, 200)}`);
    return answer;
  };
}
