import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { retryAfter } from '../rest/errors.ts';
import { tooMany } from '../security/attempts.ts';
import { createPlaces } from './places.ts';
import { type Refusal, refusing } from './refusal.ts';
import { createWaitingRoom, type Waiting } from './waiting-room.ts';

/**
 * Requests whose answers may be worked out at the same time, for each connection of the pool: enough to keep it busy.
 * More would wait for it all the same, with all that has been made for them, which makes collecting garbage dear. Writes
 * have places of their own, since they may wait for each other for long; a burst of them is let in.
 */
const perConnection = { reads: 5, writes: 10 };

/** Whoever has waited for so many milliseconds is refused: clients give up soon after. */
const patience = 2_000;

/** How often we look whether somebody has, and whether somebody inside is slow to send or to take, in milliseconds. */
const beat = 50;

/** Whoever guesses is answered so many milliseconds later: one after the other, guesses are few, and cost nothing. */
const delay = 500;

const overloaded: Refusal = { status: 503, message: 'the server is overloaded; try again soon', retryAfter };

const barred = (seconds: number): Refusal => ({
  ...{ status: 429, message: tooMany(seconds), retryAfter: seconds },
});

const readings: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS']);

export interface DoorSettings {
  /** Size of the pool (DATABASE_CONNECTIONS): what waits for a connection is bounded by it. */
  readonly connections: number;
  /** For how many seconds a request is refused, for its credentials were guessed at too often. */
  readonly barredFor: (request: IncomingMessage) => number | undefined;
  /** What stands on every refusal. */
  readonly headers: Readonly<Record<string, string>>;
  /** Told of everyone who has waited, be it in vain, and for how many seconds. */
  readonly onWaited: (seconds: number) => void;
  /** Told of everyone who is refused since it is full. */
  readonly onFull: () => void;
}

/**
 * Lets in so many requests at a time; others wait until one of these is answered, in the order of coming, for a while.
 * @param turnAway answers who is not let in.
 */
function entrance(
  places: number,
  app: RequestListener,
  { onWaited }: DoorSettings,
  turnAway: (response: ServerResponse) => void,
): (response: ServerResponse) => void {
  const inside = createPlaces(places, () => letIn());
  const room = createWaitingRoom();
  let isWatched = false;

  const enter = (response: ServerResponse): void => {
    inside.take(response);
    app(response.req, response);
  };
  const next = (): ServerResponse | undefined => {
    const waiting = room.next();
    if (waiting) onWaited((performance.now() - waiting.since) / 1000);
    return waiting?.response;
  };
  const letIn = (): void => {
    for (let free = room.first() ? inside.free() : 0; free > 0; free -= 1) {
      const response = next();
      if (!response) return;
      enter(response);
    }
  };
  const isLate = ({ since }: Waiting): boolean => performance.now() - since > patience;
  const look = (): void => {
    isWatched = false;
    letIn();
    for (let first = room.first(); first && isLate(first); first = room.first()) {
      const response = next();
      if (response) turnAway(response);
    }
    watch();
  };
  const watch = (): void => {
    if (isWatched || !room.first()) return;
    isWatched = true;
    setTimeout(look, beat).unref();
  };

  return (response) => {
    if (!room.first() && inside.free() > 0) return enter(response);
    if (!room.admit(response)) return turnAway(response);
    watch();
  };
}

/**
 * Stands before the application, and lets in so many requests at a time. Others wait until one of these is answered:
 * nothing is done for them, nor does their connection bring another request meanwhile, so that those inside are answered
 * in time, however many knock. Who has waited too long, or does not find room to wait, is told to come again: 503, before
 * anybody looks at who it is. Whoever guesses passwords is turned away here too (§5), after a while in which he takes no
 * place. Who asks for health is always let in.
 */
export function door(app: RequestListener, settings: DoorSettings): RequestListener {
  const { connections, barredFor, headers, onFull } = settings;
  const refuse = refusing(headers);
  const turnAway = (response: ServerResponse): void => {
    onFull();
    refuse(response, overloaded);
  };
  const entranceOf = (places: number) => entrance(connections * places, app, settings, turnAway);
  const [reads, writes] = [entranceOf(perConnection.reads), entranceOf(perConnection.writes)];
  return (request, response) => {
    if (request.url?.startsWith('/health/')) return app(request, response);
    const seconds = barredFor(request);
    if (seconds === undefined) return (readings.has(request.method) ? reads : writes)(response);
    setTimeout(() => refuse(response, barred(seconds)), delay);
  };
}
