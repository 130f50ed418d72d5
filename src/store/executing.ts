import { setImmediate } from 'node:timers/promises';
import type { Database } from '../db/database.ts';
import { type AppError, NotFound, Unavailable } from '../errors.ts';
import { renewExecutions, silence } from './executions.ts';

/** An execution under way in this process. */
export interface Here {
  readonly id: string;
  readonly userId: string;
  readonly repository: string;
  readonly operation: string;
}

/** What is executed in this process: so many at a time, others wait for their turn. */
export interface Executing {
  /** One that is under way here, and is not told to end. */
  find(id: string): Here | undefined;
  /** Has one end at its next statement. */
  abort(id: string, reason: AppError): void;
  /** @throws Unavailable when very many wait, or none is begun any more. */
  requireRoom(): void;
  /** Does the work of one when its turn comes; the work rejects for no reason. */
  begin(here: Here, work: (signal: AbortSignal) => Promise<void>): void;
  /** Waits for those under way, for so many milliseconds at most, and then has the others end. */
  close(grace: number): Promise<void>;
}

/** Executions that may wait for their turn. */
const mostWaiting = 100;

/** How often the database is told that executions are under way, in milliseconds. */
const beat = (silence * 1000) / 3;

interface Begun extends Here {
  readonly controller: AbortController;
  readonly ended: Promise<void>;
}

/** Lets so many things be done at a time, in the order in which they come. */
function turns(most: number): { next(): Promise<void>; done(): void; waiting(): number } {
  const queue: Array<() => void> = [];
  let free = most;
  return {
    waiting: () => queue.length,
    next: async () => {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => queue.push(resolve));
    },
    done: () => {
      const first = queue.shift();
      if (first) first();
      else free += 1;
    },
  };
}

/**
 * @param most how many are worked on at a time.
 * @param onError told when the database cannot be told of them.
 */
export function createExecuting(
  database: Database,
  { most, onError }: { readonly most: number; readonly onError: (error: unknown) => void },
): Executing {
  const begun = new Map<string, Begun>();
  const turn = turns(most);
  let isClosing = false;
  let timer: NodeJS.Timeout | undefined;

  const look = async (): Promise<void> => {
    const known = [...begun.values()];
    if (known.length === 0) return;
    const there = await renewExecutions(database, known);
    for (const { id, controller } of known)
      if (!there.has(id)) controller.abort(new NotFound(`there is no execution ${id}`));
  };
  const tell = () => void look().catch(onError);
  let isListening = false;
  const watch = (): void => {
    timer ??= setInterval(tell, beat).unref();
    if (isListening) return;
    isListening = true;
    database.announcements.on('executions', tell);
  };
  const rest = (): void => {
    if (begun.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  return {
    find: (id) => {
      const here = begun.get(id);
      return here?.controller.signal.aborted ? undefined : here; // what is told to end is no more
    },
    abort: (id, reason) => begun.get(id)?.controller.abort(reason),
    requireRoom: () => {
      if (isClosing) throw new Unavailable('the server is stopping');
      if (turn.waiting() >= mostWaiting)
        throw new Unavailable(`${mostWaiting} executions wait for their turn: try again soon`);
    },
    begin: (here, work) => {
      const controller = new AbortController();
      const run = async () => {
        await setImmediate(); // whoever began it is told first
        await turn.next();
        try {
          await work(controller.signal);
        } finally {
          turn.done();
          begun.delete(here.id);
          rest();
        }
      };
      const ended = run().catch(onError);
      begun.set(here.id, { ...here, controller, ended });
      watch();
    },
    close: async (grace) => {
      isClosing = true;
      const all = () => Promise.all([...begun.values()].map(({ ended }) => ended));
      const reason = new Unavailable(
        'the execution was cut off: the server was stopped; nothing was changed',
      );
      const cut = setTimeout(() => {
        for (const { controller } of begun.values()) controller.abort(reason);
      }, grace);
      await all();
      clearTimeout(cut);
    },
  };
}
