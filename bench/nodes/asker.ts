import { basic } from './users.ts';

/** The observations of the clients. */
export interface Seen {
  /** The number of responses with each status; 0 stands for no response. */
  readonly statuses: Map<number, number>;
  /** The first failed requests and their statuses. */
  readonly failures: string[];
  /** One line for each read or search that did not return earlier writes of the same user. */
  readonly old: string[];
  /**
   * The number of searches that did not find writes and whose `X-Search-Delay` header said that the index was
   * behind.
   */
  early: number;
  /** The number of reads and searches that were compared with the user's writes. */
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
  /** The name of the node that responded, as configured in the load balancer. */
  readonly node: string;
  /**
   * The number of milliseconds by which the index was behind according to `X-Search-Delay`; 0 without this header.
   */
  readonly searchDelay: number;
  /** The user's position, taken from the cookie in this response or in the last response that set one. */
  readonly position: string;
  /** Whether this response has a position. A response that was read only from a replica has none. */
  readonly isPositioned: boolean;
  /** The start of the request, as a value of `performance.now()`. */
  readonly began: number;
  readonly ended: number;
}

/**
 * Sends a request.
 * @param body sent as JSON, unless it is text with a media type of its own
 */
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

/** The address of a server, or a function that chooses one of several for each request. */
export type Address = string | (() => string);

/** Returns a function that sends requests as a user. @param keepsCookies whether the user sends cookies back */
export function asker(address: Address, user: string, keepsCookies: boolean, seen: () => Seen): Ask {
  const next = typeof address === 'string' ? () => address : address;
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
    const url = next();
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
      now.failures.push(
        `${method} ${url}${path}: ${status} after ${Math.round(time)} ms: ${text.slice(0, 200)}`,
      );
    return { status, text, node, searchDelay, position, isPositioned, began, ended };
  };
}
