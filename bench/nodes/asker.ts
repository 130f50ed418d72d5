import { basic } from './users.ts';

/** What clients have seen. */
export interface Seen {
  /** How often each status was answered; 0 is no answer. */
  readonly statuses: Map<number, number>;
  /** Requests and their statuses that are not successes, the first of them. */
  readonly failures: string[];
  /** One line for each read or search that was older than what its caller had written. */
  readonly old: string[];
  /** Searches that answered early, as `X-Search-Delay` said, and missed what their caller had written. */
  early: number;
  /** Reads and searches that were compared with what their caller had written. */
  compared: number;
  longest: number;
}

export const nothingSeen = (): Seen => ({
  statuses: new Map(),
  failures: [],
  old: [],
  early: 0,
  compared: 0,
  longest: 0,
});

const maxFailures = 20;

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** The name that the load balancer gives the node that answered. */
  readonly node: string;
  /** Milliseconds by which the search index was behind, of a search that answered early; else 0. */
  readonly searchDelay: number;
  /** The position of the caller, by the cookie of this answer or of the last one before that had it. */
  readonly position: string;
  /** Whether this answer has a position: a read that a single replica has answered has none. */
  readonly isPositioned: boolean;
  /** By `performance.now()`. */
  readonly began: number;
  readonly ended: number;
}

/** @param body sent as JSON, unless it is a text with a media type of its own. */
export type Ask = (
  method: string,
  path: string,
  body?: object | string,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>;

const positionIn = (headers: Headers): string | undefined =>
  headers
    .getSetCookie()
    .map((cookie) => /^quire-position=([^;]*)/.exec(cookie)?.[1])
    .find((position) => position !== undefined);

/** Asks as a user, who returns cookies or does not. */
export function asker(url: string, user: string, keepsCookies: boolean, seen: () => Seen): Ask {
  let position = '';
  return async (method, path, body, more) => {
    const now = seen();
    const began = performance.now();
    const headers: Record<string, string> = {
      authorization: basic(user),
      'content-type': 'application/json',
      ...more,
    };
    if (keepsCookies && position) headers.cookie = `quire-position=${position}`;
    let [status, text, node, searchDelay, isPositioned] = [0, '', '', 0, false];
    try {
      const sent = typeof body === 'string' ? body : JSON.stringify(body);
      const response = await fetch(`${url}/api/v1${path}`, { method, headers, ...(sent && { body: sent }) });
      const told = positionIn(response.headers);
      isPositioned = told !== undefined;
      position = told ?? position;
      node = response.headers.get('x-node') ?? '';
      searchDelay = Number(response.headers.get('x-search-delay') ?? 0);
      status = response.status;
      text = await response.text();
    } catch (error) {
      status = 0;
      text = String((error as Error).cause ?? error);
    }
    const ended = performance.now();
    const time = ended - began;
    now.statuses.set(status, (now.statuses.get(status) ?? 0) + 1);
    now.longest = Math.max(now.longest, time);
    if ((status === 0 || status >= 300) && now.failures.length < maxFailures)
      now.failures.push(`${method} ${path}: ${status} after ${Math.round(time)} ms: ${text.slice(0, 200)}`);
    return { status, text, node, searchDelay, position, isPositioned, began, ended };
  };
}
