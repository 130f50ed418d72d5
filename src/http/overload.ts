import type { RequestHandler } from 'express';
import { Unavailable } from '../errors.ts';

/** How often the event loop's delay is looked at, in milliseconds. */
const interval = 50;

/** A delay beyond which new requests are turned away, in milliseconds: those under way would only get slower. */
const tooLate = 250;

/** How much the last look counts: one long statement of the embedded database is no overload, many are. */
const weight = 0.2;

/** How late the event loop is, in milliseconds, smoothed over a few looks. */
export interface LoopDelay {
  current(): number;
  stop(): void;
}

const smoothed = (delay: number, since: number): number =>
  (1 - weight) * delay + weight * Math.max(0, since - interval);

export function watchLoopDelay(): LoopDelay {
  let delay = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    delay = smoothed(delay, now - last);
    last = now;
  }, interval);
  timer.unref();
  return {
    // A loop that has been busy since the last look is late already, though nobody has looked.
    current: () => Math.max(delay, smoothed(delay, performance.now() - last)),
    stop: () => clearInterval(timer),
  };
}

/** Answers 503 at once while the event loop is late, so that the rest is answered in time. */
export const shedLoad =
  (loopDelay: LoopDelay): RequestHandler =>
  (_request, _response, next) => {
    if (loopDelay.current() > tooLate) throw new Unavailable('the server is overloaded; try again soon');
    next();
  };
