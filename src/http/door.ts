import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { requestIdOf } from '../log.ts';
import { exceptionOf, retryAfter } from '../rest/errors.ts';
import { tooMany } from '../security/attempts.ts';

/** Requests whose answers may be worked out at the same time, for each connection of the pool. */
const perConnection = 25;

/** So many of them may be writes: where these wait for each other, there is room for reads still. */
const writesPerConnection = 20;

/** Whoever guesses is answered so many milliseconds later: one after the other, guesses are few, and cost nothing. */
const delay = 500;

/** Work for a client that has left is taken to be over after so many milliseconds. */
const overdue = 10_000;

type Headers = Readonly<Record<string, string>>;

/** Places for requests whose answer is being worked out. */
interface Places {
  isFull(): boolean;
  take(response: ServerResponse): void;
}

/** Whether we have to do something for it; else it is the client's turn, to send the rest of its body. */
const isOurTurn = ({ req }: ServerResponse): boolean => req.complete || !req.readableFlowing;

const isAnswered = (response: ServerResponse): boolean => response.headersSent || response.writableEnded;

interface Taken {
  readonly response: ServerResponse;
  readonly since: number;
}

/** Places are given back when an answer is sent; when somebody looks for one, who is answered or waited for has none. */
function createPlaces(most: number): Places {
  // No Map: of one that changes with every request the engine keeps old tables, and all that was in them, for long.
  const places: Array<Taken | undefined> = [];
  const free: number[] = [];
  const giveBack = (place: number): void => {
    places[place] = undefined;
    free.push(place);
  };
  return {
    take: (response) => {
      const place = free.pop() ?? places.length;
      const taken = { response, since: performance.now() };
      places[place] = taken;
      response.once('close', () => {
        if (places[place] === taken && isAnswered(response)) giveBack(place);
      });
    },
    isFull: () => {
      if (places.length - free.length < most) return false;
      let busy = 0;
      for (const [place, taken] of places.entries()) {
        if (!taken) continue;
        const { response, since } = taken;
        const isLeft = response.closed && performance.now() - since > overdue;
        if (isAnswered(response) || isLeft) giveBack(place);
        else if (isOurTurn(response)) busy += 1;
      }
      return busy >= most;
    },
  };
}

interface Refusal {
  readonly status: 429 | 503;
  readonly message: string;
  /** In seconds. */
  readonly retryAfter: number;
}

const overloaded: Refusal = { status: 503, message: 'the server is overloaded; try again soon', retryAfter };

const barred = (seconds: number): Refusal => ({
  ...{ status: 429, message: tooMany(seconds), retryAfter: seconds },
});

/** Answers in as few steps as there can be: what is refused is to cost next to nothing. */
function refuse(response: ServerResponse, refusal: Refusal, headers: Headers): void {
  const { status, message, retryAfter: seconds } = refusal;
  const requestId = requestIdOf(response.req);
  const body = JSON.stringify(exceptionOf(status, message, requestId));
  response.writeHead(status, {
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'Retry-After': seconds,
    'X-Request-Id': requestId,
  });
  response.end(body);
}

const reads: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS']);

export interface DoorSettings {
  /** Size of the pool (DATABASE_CONNECTIONS): what waits for a connection is bounded by it. */
  readonly connections: number;
  /** For how many seconds a request is refused, for its credentials were guessed at too often. */
  readonly barredFor: (request: IncomingMessage) => number | undefined;
  /** What stands on every refusal. */
  readonly headers: Headers;
  /** Told of everyone who is refused since it is full. */
  readonly onFull: () => void;
}

/**
 * Stands before the application, and lets in so many requests at a time; the others are told at once to come again: 503,
 * before anybody looks at who they are. Those inside are answered in time then, however many knock. Whoever guesses
 * passwords is turned away here too (§5), after a while in which he takes no place. Who asks for health is always let in.
 */
export function door(
  app: RequestListener,
  { connections, barredFor, headers, onFull }: DoorSettings,
): RequestListener {
  const places = createPlaces(connections * perConnection);
  const placesOfWrites = createPlaces(connections * writesPerConnection);
  const isFull = (isRead: boolean) => places.isFull() || (!isRead && placesOfWrites.isFull());
  return (request, response) => {
    if (request.url?.startsWith('/health/')) return app(request, response);
    const seconds = barredFor(request);
    if (seconds !== undefined) {
      setTimeout(() => refuse(response, barred(seconds), headers), delay);
      return;
    }
    const isRead = reads.has(request.method);
    if (isFull(isRead)) {
      onFull();
      return refuse(response, overloaded, headers);
    }
    places.take(response);
    if (!isRead) placesOfWrites.take(response);
    app(request, response);
  };
}
