import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLeft } from './places.ts';

/** Memory for those who wait in one room, in bytes: sixteen thousand that have no body. */
const most = 64_000_000;

/** What a request holds in memory that nobody has looked at yet, and at most of its body, which nobody reads on. */
const [head, body] = [4_000, 80_000];

function bytesOf({ headers }: IncomingMessage): number {
  const length = headers['transfer-encoding'] ? body : Number(headers['content-length'] ?? 0);
  return head + Math.min(length, body);
}

/** Somebody who waits for a place: nothing is done for it meanwhile, and its connection can ask nothing else. */
export interface Waiting {
  readonly response: ServerResponse;
  /** When it came, as `performance.now()` says. */
  readonly since: number;
}

/** Somebody in a queue, between its neighbours. */
interface Link {
  readonly waiting: Waiting;
  readonly leave: () => void;
  before: Link | undefined;
  after: Link | undefined;
}

/** Those who wait, in the order of coming. */
export interface WaitingRoom {
  first(): Waiting | undefined;
  /** Lets somebody wait; answers whether there is room. Whoever leaves is forgotten at once. */
  admit(response: ServerResponse): boolean;
  /** Takes out who came first. */
  next(): Waiting | undefined;
}

// A list of links, no array: anybody may be taken out.
export function createWaitingRoom(): WaitingRoom {
  let [first, last]: [Link | undefined, Link | undefined] = [undefined, undefined];
  let bytes = 0;
  const remove = (link: Link): void => {
    const { before, after, waiting, leave } = link;
    if (before) before.after = after;
    else first = after;
    if (after) after.before = before;
    else last = before;
    // Or who is gone would hold who is there, and keep it from being collected while it is young.
    link.before = undefined;
    link.after = undefined;
    waiting.response.off('close', leave);
    bytes -= bytesOf(waiting.response.req);
  };
  const whoIsFirst = (): Waiting | undefined => {
    // Requests in a row on one connection hear of its end only when it is their turn.
    while (first && isLeft(first.waiting.response)) remove(first);
    return first?.waiting;
  };
  return {
    first: whoIsFirst,
    admit: (response) => {
      const more = bytesOf(response.req);
      if (bytes + more > most) return false;
      bytes += more;
      const waiting = { response, since: performance.now() };
      const link: Link = { waiting, leave: () => remove(link), before: last, after: undefined };
      if (last) last.after = link;
      else first = link;
      last = link;
      response.once('close', link.leave);
      return true;
    },
    next: () => {
      const waiting = whoIsFirst();
      if (first) remove(first);
      return waiting;
    },
  };
}
