import type { SearchTurn } from '../../scope.ts';
import type { LongWait } from '../../services.ts';

/** The part of a request's time, in milliseconds, that is reserved for its response. */
const forAnswer = 500;

/**
 * Starts a wait of at most `seconds`. The wait ends early enough to respond before the request's deadline, and it ends
 * as soon as the client disconnects.
 */
export function longWait({ response, signal, deadline }: SearchTurn, seconds: number): LongWait {
  const end = Math.min(performance.now() + 1000 * seconds, deadline - forAnswer);
  return {
    end,
    isOver: () => performance.now() >= end || response?.closed === true || signal?.aborted === true,
  };
}
