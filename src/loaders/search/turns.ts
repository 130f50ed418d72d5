import { Unavailable } from '../../errors.ts';
import type { SearchTurn, SearchTurns } from '../../scope.ts';

/** Searches of one user that run at a time, in one process. */
const mostOfUser = 2;

/** In milliseconds; less for what keeps a connection from others meanwhile. */
const maxWait = { connected: 1_000, other: 10_000, execution: Number.POSITIVE_INFINITY };

interface Waiting {
  readonly turn: SearchTurn;
  readonly begin: () => void;
}

const overloaded = () => new Unavailable('too many searches are under way; try again soon');

/**
 * Lets searches run a few at a time: what one costs is up to its caller, and it may last as long as a
 * transaction. The searches of one user leave connections for those of others, and all together for
 * everything else. Those that wait occupy slots of admission (`http/admission.ts`), of which they leave some.
 * @param connections the size of the pool of this process.
 * @param workers processes that serve: each has its share of the searches of one user.
 */
export function createSearchTurns(
  { connections, workers }: { readonly connections: number; readonly workers: number },
  observe: { readonly onWaited: (seconds: number) => void; readonly onRefused: () => void },
): SearchTurns {
  const most = Math.max(1, Math.floor(connections / 2));
  const mostOfOne = Math.max(1, Math.floor(mostOfUser / workers));
  const mostWaiting = { ofUser: 3 * connections, all: 4 * connections };
  const running = new Map<string, number>();
  const waiting: Waiting[] = [];
  let total = 0;

  const runningOf = (user: string): number => running.get(user) ?? 0;
  const mayRun = ({ user }: SearchTurn): boolean => total < most && runningOf(user) < mostOfOne;

  function count(user: string, by: 1 | -1): void {
    total += by;
    const now = runningOf(user) + by;
    if (now > 0) running.set(user, now);
    else running.delete(user);
  }

  function mayWait({ user, isConnected, client, signal }: SearchTurn): boolean {
    if (client?.closed || signal?.aborted || waiting.length >= mostWaiting.all) return false;
    const connected = waiting.filter(({ turn }) => turn.isConnected).length;
    if (isConnected && total + connected >= most) return false;
    return waiting.filter(({ turn }) => turn.user === user).length < mostWaiting.ofUser;
  }

  function beginNext(): void {
    for (;;) {
      const next = waiting.find(({ turn }) => mayRun(turn));
      if (!next) return;
      next.begin();
    }
  }

  const wait = (turn: SearchTurn): Promise<void> =>
    new Promise((resolve, reject) => {
      const since = performance.now();
      const end = (): void => {
        waiting.splice(waiting.indexOf(entry), 1);
        clearTimeout(timer);
        turn.client?.off('close', giveUp);
        turn.signal?.removeEventListener('abort', giveUp);
        observe.onWaited((performance.now() - since) / 1000);
      };
      const giveUp = (): void => {
        end();
        observe.onRefused();
        reject(overloaded());
      };
      const begin = (): void => {
        end();
        count(turn.user, 1);
        resolve();
      };
      const entry = { turn, begin };
      const kind = turn.isConnected ? 'connected' : turn.signal ? 'execution' : 'other';
      const timer = setTimeout(giveUp, Math.max(0, Math.min(maxWait[kind], turn.deadline - since)));
      turn.client?.once('close', giveUp);
      turn.signal?.addEventListener('abort', giveUp, { once: true });
      waiting.push(entry);
    });

  return {
    take: async (turn, search) => {
      if (mayRun(turn)) count(turn.user, 1);
      else if (mayWait(turn)) await wait(turn);
      else {
        observe.onRefused();
        throw overloaded();
      }
      try {
        return await search();
      } finally {
        count(turn.user, -1);
        beginNext();
      }
    },
  };
}
