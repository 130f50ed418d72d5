import { connectionTimeout } from '../db/database.ts';
import { Unavailable } from '../errors.ts';
import type { RequestTurn, Turns } from '../services.ts';

interface TurnSettings {
  /** The maximum number of turns that can run at the same time in this process, for all users together. */
  readonly max: number;
  /** The maximum number of one user's turns that can run at the same time. */
  readonly maxPerUser: number;
  /** The maximum number of a user's turns that requests other than executions can take; `maxPerUser` by default. */
  readonly maxCalls?: number;
  /** The maximum number of a user's turns that executions (§4.7) can take; `maxPerUser` by default. */
  readonly maxExecutions?: number;
  readonly maxWaiting: { readonly perUser: number; readonly all: number };
  /** The maximum time that a turn can wait, in milliseconds; can be infinite. */
  readonly maxWait: (turn: RequestTurn) => number;
  /** The message of the 503 response. It names the kind of work that has reached its limit. */
  readonly message: string;
}

interface Observer {
  readonly onWaited: (seconds: number) => void;
  readonly onRefused: () => void;
}

interface Waiting {
  readonly turn: RequestTurn;
  readonly begin: () => void;
}

/**
 * Limits how much expensive work runs at the same time, in this process and for each user. A turn is the permission to
 * do such work.
 *
 * If no turn is free, work waits in the order of arrival. A user who has reached a limit is skipped, so that others
 * further back in the queue do not have to wait for that user. Work is rejected with 503 if too much work is already
 * waiting, if it has waited for too long, or if its client disconnects. A transaction holds its connection while it is
 * waiting: if waiting transactions could hold all connections, the running turns, which need connections to finish,
 * would never end. Transactions can therefore wait only while there are fewer than `max` running turns and waiting
 * transactions in total.
 */
function createTurns(settings: TurnSettings, observe: Observer): Turns {
  const { max, maxPerUser, maxWaiting, maxWait, message } = settings;
  const { maxCalls = maxPerUser, maxExecutions = maxPerUser } = settings;
  const running = new Map<string, { calls: number; executions: number }>();
  const waiting: Waiting[] = [];
  let total = 0;

  const kindOf = ({ origin }: RequestTurn) => (origin === 'execution' ? 'executions' : 'calls');
  const runningOf = (user: string) => running.get(user) ?? { calls: 0, executions: 0 };
  const overloaded = () => new Unavailable(message);

  function canRun(turn: RequestTurn): boolean {
    const { calls, executions } = runningOf(turn.user);
    if (total >= max || calls + executions >= maxPerUser) return false;
    return turn.origin === 'execution' ? executions < maxExecutions : calls < maxCalls;
  }

  function count(turn: RequestTurn, by: 1 | -1): void {
    total += by;
    const now = { ...runningOf(turn.user) };
    now[kindOf(turn)] += by;
    if (now.calls + now.executions > 0) running.set(turn.user, now);
    else running.delete(turn.user);
  }

  function canWait({ user, isConnected, response, signal }: RequestTurn): boolean {
    if (response?.closed || signal?.aborted || waiting.length >= maxWaiting.all) return false;
    const connected = waiting.filter(({ turn }) => turn.isConnected).length;
    if (isConnected && total + connected >= max) return false;
    return waiting.filter(({ turn }) => turn.user === user).length < maxWaiting.perUser;
  }

  function beginNext(): void {
    for (;;) {
      const next = waiting.find(({ turn }) => canRun(turn));
      if (!next) return;
      next.begin();
    }
  }

  const wait = (turn: RequestTurn): Promise<void> =>
    new Promise((resolve, reject) => {
      const since = performance.now();
      const end = (): void => {
        waiting.splice(waiting.indexOf(entry), 1);
        clearTimeout(timer);
        turn.response?.off('close', giveUp);
        turn.signal?.removeEventListener('abort', giveUp);
        observe.onWaited((performance.now() - since) / 1000);
      };
      const giveUp = (): void => {
        end();
        observe.onRefused();
        reject(turn.signal?.aborted ? turn.signal.reason : overloaded());
      };
      const begin = (): void => {
        end();
        count(turn, 1);
        resolve();
      };
      const entry = { turn, begin };
      const longest = maxWait(turn);
      const timer = Number.isFinite(longest) ? setTimeout(giveUp, Math.max(0, longest)) : undefined;
      turn.response?.once('close', giveUp);
      turn.signal?.addEventListener('abort', giveUp, { once: true });
      waiting.push(entry);
    });

  return {
    take: async (turn, work) => {
      if (canRun(turn)) count(turn, 1);
      else if (canWait(turn)) await wait(turn);
      else {
        observe.onRefused();
        throw overloaded();
      }
      try {
        return await work();
      } finally {
        count(turn, -1);
        beginNext();
      }
    },
  };
}

/** Returns the given duration or the time until the request's deadline, whichever is shorter. */
const upTo = ({ deadline }: RequestTurn, milliseconds: number): number =>
  Math.min(milliseconds, deadline - performance.now());

const unlessExecution = ({ origin }: RequestTurn, milliseconds: number): number =>
  origin === 'execution' ? Number.POSITIVE_INFINITY : milliseconds;

interface Share {
  /** The size of this process's connection pool. */
  readonly connections: number;
  /** The number of processes that serve requests. The searches of one user are divided among them. */
  readonly workers: number;
}

/**
 * Turns for searches. How expensive a search is depends on the caller's query, and a search can take as long as a
 * transaction. The limits therefore leave connections of the pool to the searches of other users, and to everything
 * that is not a search. A waiting search occupies an admission slot (`http/admission.ts`); the limits on waiting leave
 * some slots free.
 */
export const searchTurns = ({ connections, workers }: Share, observe: Observer): Turns =>
  createTurns(
    {
      max: Math.max(1, Math.floor(connections / 2)),
      maxPerUser: Math.max(1, Math.floor(2 / workers)),
      maxWaiting: { perUser: 3 * connections, all: 4 * connections },
      maxWait: (turn) => upTo(turn, turn.isConnected ? 1_000 : unlessExecution(turn, connectionTimeout)),
      message: 'Too many searches are running. Try again soon.',
    },
    observe,
  );

/** Turns for creating archives, which takes as long as reading, compressing and writing all of their files. */
export const archiveTurns = (connections: number, observe: Observer): Turns =>
  createTurns(
    {
      max: 2,
      maxPerUser: 1,
      maxWaiting: { perUser: connections, all: 2 * connections },
      maxWait: (turn) => upTo(turn, turn.isConnected ? 1_000 : unlessExecution(turn, 60_000)),
      message: 'Too many archives are being created. Try again soon.',
    },
    observe,
  );

/**
 * Turns for parsing large request bodies. Parsing one blocks the event loop for tens of milliseconds and takes several
 * times its size in memory, so only one body is parsed at a time. Waiting bodies stay in memory, so only a few can
 * wait.
 */
export const largeBodyTurns = (observe: Observer): Turns =>
  createTurns(
    {
      max: 1,
      maxPerUser: 1,
      maxWaiting: { perUser: 10, all: 40 },
      maxWait: (turn) => upTo(turn, 10_000),
      message: 'Too many large request bodies are waiting to be parsed. Try again soon.',
    },
    observe,
  );

/**
 * Turns for transactions. The transactions of one user occupy at most half of the connections, so that other users can
 * work. Executions (§4.7), which can last for a day, leave at least one of these connections to calls by the same user.
 * A write waits for its turn as long as it would wait for a connection; a read waits for one second.
 */
export const transactionTurns = (connections: number, observe: Observer): Turns => {
  const maxCalls = Math.ceil(connections / 2);
  return createTurns(
    {
      max: Number.POSITIVE_INFINITY,
      maxPerUser: Math.max(2, maxCalls),
      maxCalls,
      maxExecutions: Math.max(1, maxCalls - 1),
      maxWaiting: { perUser: 8 * connections, all: Number.POSITIVE_INFINITY },
      maxWait: (turn) => unlessExecution(turn, upTo(turn, turn.isWrite ? connectionTimeout : 1_000)),
      message: 'This user has too many requests in progress. Try again soon.',
    },
    observe,
  );
};
