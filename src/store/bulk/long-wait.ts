import type { SearchTurn } from '../../scope.ts';
import type { LongWait } from '../../services.ts';

/** Milliseconds of a request's time that are reserved for its answer. */
const forAnswer = 500;

/**
 * Starts a wait of at most `seconds`. It ends early enough to answer before the deadline of the request, and
 * as soon as the client disconnects.
 */
export function longWait({ response, signal, deadline }: SearchTurn, seconds: number): LongWait {
  const end = Math.min(performance.now() + 1000 * seconds, deadline - forAnswer);
  return {
    end,
    isOver: () => performance.now() >= end || response?.closed === true || signal?.aborted === true,
  };
}
