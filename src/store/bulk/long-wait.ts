import type { SearchTurn } from '../../scope.ts';
import type { LongWait } from '../../services.ts';

/** Milliseconds before the deadline of a request that are reserved for its answer. */
const forAnswer = 500;

/**
 * A wait for a number of seconds. It ends in time for the answer, and is over when the client disconnects.
 */
export function longWait({ response, signal, deadline }: SearchTurn, seconds: number): LongWait {
  const end = Math.min(performance.now() + 1000 * seconds, deadline - forAnswer);
  return {
    end,
    isOver: () => performance.now() >= end || response?.closed === true || signal?.aborted === true,
  };
}
