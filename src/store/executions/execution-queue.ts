import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Database } from '../../db/database.ts';
import { NotFound, Unavailable } from '../../errors.ts';
import type { LocalExecution, LocalExecutions } from '../../scope.ts';
import { heartbeatTimeout, renewExecutions } from './executions.ts';

/** Runs a limited number of executions of this process at a time; others are pending. */
export interface ExecutionQueue extends LocalExecutions {
  /** Runs the work when its turn comes; the work must not reject. */
  begin(here: LocalExecution, work: (signal: AbortSignal) => Promise<void>): void;
  /** Waits for running executions, and aborts the rest after so many milliseconds. */
  close(grace: number): Promise<void>;
}

const mostWaiting = 100;

/** Milliseconds between two heartbeats. */
const beat = (heartbeatTimeout * 1000) / 3;

interface Begun extends LocalExecution {
  readonly controller: AbortController;
  readonly ended: Promise<void>;
}

/** @param onError called when a heartbeat fails. */
export function createExecutionQueue(
  database: Database,
  { most, onError }: { readonly most: number; readonly onError: (error: unknown) => void },
): ExecutionQueue {
  const begun = new Map<string, Begun>();
  const inTurn = pLimit(most);
  let isClosing = false;

  const sendHeartbeat = async (): Promise<void> => {
    const known = [...begun.values()];
    if (known.length === 0) return;
    const existing = await renewExecutions(database, known);
    for (const { id, controller } of known)
      if (!existing.has(id)) controller.abort(new NotFound(`there is no execution ${id}`));
  };
  const watch = () => void sendHeartbeat().catch(onError);
  const timer = setInterval(watch, beat).unref();
  database.announcements.on('executions', watch); // an execution was aborted, perhaps in another process

  return {
    find: (id) => {
      const here = begun.get(id);
      return here?.controller.signal.aborted ? undefined : here; // an aborted execution counts as gone
    },
    abort: (id, reason) => begun.get(id)?.controller.abort(reason),
    requireCapacity: () => {
      if (isClosing) throw new Unavailable('the server is stopping');
      if (inTurn.pendingCount >= mostWaiting)
        throw new Unavailable(`${mostWaiting} executions wait for their turn: try again soon`);
    },
    begin: (here, work) => {
      const controller = new AbortController();
      const run = async () => {
        await setImmediate(); // the response to its begin is sent first
        try {
          await inTurn(work, controller.signal);
        } finally {
          begun.delete(here.id);
        }
      };
      const ended = run().catch(onError);
      begun.set(here.id, { ...here, controller, ended });
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
      clearInterval(timer);
    },
  };
}
