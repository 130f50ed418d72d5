import type { SearchTurn } from '../../scope.ts';
import type { LongWait } from '../../services.ts';

/** Milliseconds that a request has left for its answer after it has waited. */
const forAnswer = 500;

export function longWait({ response, signal, deadline }: SearchTurn, seconds: number): LongWait {
  const end = Math.min(performance.now() + 1000 * seconds, deadline - forAnswer);
  return {
    end,
    isOver: () => performance.now() >= end || response?.closed === true || signal?.aborted === true,
  };
}
