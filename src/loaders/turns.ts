import { connectionTimeout } from '../db/database.ts';
import { Unavailable } from '../errors.ts';
import type { RequestTurn, Turns } from '../services.ts';

interface TurnSettings {
  /** At a time, in one process. */
  readonly most: number;
  /** Of one user; of these as many calls and executions as `mostCalls` and `mostExecutions` say. */
  readonly mostOfUser: number;
  readonly mostCalls?: number;
  readonly mostExecutions?: number;
  readonly mostWaiting: { readonly ofUser: number; readonly all: number };
  /** Milliseconds; may be infinite. */
  readonly maxWait: (turn: RequestTurn) => number;
  /** Of the 503, which says what there is too much of. */
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

/** Lets work of users run a few at a time, first come first served. */
function createTurns(settings: TurnSettings, observe: Observer): Turns {
  const { most, mostOfUser, mostWaiting, maxWait, message } = settings;
  const { mostCalls = mostOfUser, mostExecutions = mostOfUser } = settings;
  const running = new Map<string, { calls: number; executions: number }>();
  const waiting: Waiting[] = [];
  let total = 0;

  const kindOf = ({ origin }: RequestTurn) => (origin === 'execution' ? 'executions' : 'calls');
  const runningOf = (user: string) => running.get(user) ?? { calls: 0, executions: 0 };
  const overloaded = () => new Unavailable(message);

  function mayRun(turn: RequestTurn): boolean {
    const { calls, executions } = runningOf(turn.user);
    if (total >= most || calls + executions >= mostOfUser) return false;
    return turn.origin === 'execution' ? executions < mostExecutions : calls < mostCalls;
  }

  function count(turn: RequestTurn, by: 1 | -1): void {
    total += by;
    const now = { ...runningOf(turn.user) };
    now[kindOf(turn)] += by;
    if (now.calls + now.executions > 0) running.set(turn.user, now);
    else running.delete(turn.user);
  }

  function mayWait({ user, isConnected, response, signal }: RequestTurn): boolean {
    if (response?.closed || signal?.aborted || waiting.length >= mostWaiting.all) return false;
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
      if (mayRun(turn)) count(turn, 1);
      else if (mayWait(turn)) await wait(turn);
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

const upTo = ({ deadline }: RequestTurn, milliseconds: number): number =>
  Math.min(milliseconds, deadline - performance.now());

const unlessExecution = ({ origin }: RequestTurn, milliseconds: number): number =>
  origin === 'execution' ? Number.POSITIVE_INFINITY : milliseconds;

interface Share {
  /** The size of the pool of this process. */
  readonly connections: number;
  /** Processes that serve: each has its share of the searches of one user. */
  readonly workers: number;
}

/**
 * What a search costs is up to its caller, and it may last as long as a transaction. Those of one user leave
 * connections for those of others, and all together for everything else. Those that wait occupy slots of
 * admission (`http/admission.ts`), of which they leave some.
 */
export const searchTurns = ({ connections, workers }: Share, observe: Observer): Turns =>
  createTurns(
    {
      most: Math.max(1, Math.floor(connections / 2)),
      mostOfUser: Math.max(1, Math.floor(2 / workers)),
      mostWaiting: { ofUser: 3 * connections, all: 4 * connections },
      maxWait: (turn) => upTo(turn, turn.isConnected ? 1_000 : unlessExecution(turn, connectionTimeout)),
      message: 'too many searches are under way; try again soon',
    },
    observe,
  );

/** An archive reads, compresses and writes for as long as its files take. */
export const archiveTurns = (connections: number, observe: Observer): Turns =>
  createTurns(
    {
      most: 2,
      mostOfUser: 1,
      mostWaiting: { ofUser: connections, all: 2 * connections },
      maxWait: (turn) => upTo(turn, turn.isConnected ? 1_000 : unlessExecution(turn, 60_000)),
      message: 'too many archives are being made; try again soon',
    },
    observe,
  );

/**
 * Parsing a large body holds the event loop for tens of milliseconds and needs several times its bytes, so one
 * is parsed at a time. Those that wait hold their bytes.
 */
export const largeBodyTurns = (observe: Observer): Turns =>
  createTurns(
    {
      most: 1,
      mostOfUser: 1,
      mostWaiting: { ofUser: 10, all: 40 },
      maxWait: (turn) => upTo(turn, 10_000),
      message: 'too many large bodies wait to be parsed; try again soon',
    },
    observe,
  );

/**
 * Transactions of one user leave connections for others, and those of executions (§4.7), which may last for a
 * day, one for the calls of the user. They wait for each other as for a connection; reads have fewer slots.
 */
export const transactionTurns = (connections: number, observe: Observer): Turns => {
  const mostCalls = Math.ceil(connections / 2);
  return createTurns(
    {
      most: Number.POSITIVE_INFINITY,
      mostOfUser: Math.max(2, mostCalls),
      mostCalls,
      mostExecutions: Math.max(1, mostCalls - 1),
      mostWaiting: { ofUser: 8 * connections, all: Number.POSITIVE_INFINITY },
      maxWait: (turn) => unlessExecution(turn, upTo(turn, turn.isWrite ? connectionTimeout : 1_000)),
      message: 'too many calls of the user are under way; try again soon',
    },
    observe,
  );
};
