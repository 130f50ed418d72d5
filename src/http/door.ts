import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { requestIdOf } from '../log.ts';
import { exceptionOf, retryAfter } from '../rest/errors.ts';
import type { LoopDelay } from './loop-delay.ts';

/** Requests whose answers may be worked out at the same time, for each connection of the pool. */
const perConnection = 10;

/** The part of them that may be writes: where these wait for each other, there is room for reads still. */
const partOfWrites = 0.8;

/** A delay of the event loop beyond which nobody is let in, in milliseconds: those inside would only get slower. */
const tooLate = 250;

/** Work for a client that has left is taken to be over after so many milliseconds. */
const overdue = 10_000;

/** Places for requests whose answer is being worked out. */
interface Places {
  isFull(): boolean;
  take(response: ServerResponse): void;
}

/** Whether we have to do something for it; else it is the client's turn, to send the rest of its body. */
const isOurTurn = ({ req }: ServerResponse): boolean => req.complete || !req.readableFlowing;

const isAnswered = (response: ServerResponse): boolean => response.headersSent || response.writableEnded;

/** Places are given back when somebody looks for one: whoever is answered, or waited for, has none. */
function createPlaces(most: number): Places {
  const taken = new Map<ServerResponse, number>();
  return {
    take: (response) => void taken.set(response, performance.now()),
    isFull: () => {
      if (taken.size < most) return false;
      let busy = 0;
      for (const [response, since] of taken) {
        const isLeft = response.closed && performance.now() - since > overdue;
        if (isAnswered(response) || isLeft) taken.delete(response);
        else if (isOurTurn(response)) busy += 1;
      }
      return busy >= most;
    },
  };
}

/** Answers in as few steps as there can be: what is refused is to cost next to nothing. */
function refuse(request: IncomingMessage, response: ServerResponse): void {
  const requestId = requestIdOf(request);
  const body = JSON.stringify(exceptionOf(503, 'the server is overloaded; try again soon', requestId));
  response.writeHead(503, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'Retry-After': retryAfter,
    'X-Request-Id': requestId,
  });
  response.end(body);
}

const reads: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS']);

export interface DoorSettings {
  /** Size of the pool (DATABASE_CONNECTIONS): what waits for a connection is bounded by it. */
  readonly connections: number;
  readonly loopDelay: Pick<LoopDelay, 'current'>;
  readonly onRefused: () => void;
}

/**
 * Stands before the application, and lets in so many requests at a time; the others are told at once to come again: 503,
 * before anybody looks at who they are. Those inside are answered in time then, however many knock. Who asks for health
 * is always let in.
 */
export function door(
  app: RequestListener,
  { connections, loopDelay, onRefused }: DoorSettings,
): RequestListener {
  const places = createPlaces(connections * perConnection);
  const placesOfWrites = createPlaces(connections * perConnection * partOfWrites);
  const isFull = (isRead: boolean) =>
    loopDelay.current() > tooLate || places.isFull() || (!isRead && placesOfWrites.isFull());
  return (request, response) => {
    if (!request.url?.startsWith('/health/')) {
      const isRead = reads.has(request.method);
      if (isFull(isRead)) {
        onRefused();
        return refuse(request, response);
      }
      places.take(response);
      if (!isRead) placesOfWrites.take(response);
    }
    app(request, response);
  };
}
