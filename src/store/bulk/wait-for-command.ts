import { setTimeout } from 'node:timers/promises';
import type { Scope } from '../../scope.ts';
import type { LongWait } from '../../services.ts';
import { findActiveCommand, hasActiveCommand } from './active-command.ts';
import { findBulkCommand } from './commands.ts';
import { longWait } from './long-wait.ts';

const maxSeconds = 60;

const pauseMilliseconds = 250;

type Waiting = Pick<Scope, 'db' | 'user' | 'searchTurn'>;

async function ends(isActive: () => Promise<boolean>, { end, isOver }: LongWait): Promise<boolean> {
  while (await isActive()) {
    if (isOver()) return false;
    await setTimeout(Math.max(0, Math.min(end - performance.now(), pauseMilliseconds)));
  }
  return true;
}

/**
 * Waits until a command has ended, for up to the given number of seconds. The wait holds no database connection. In a
 * transaction, which does hold one, the state is read once, without waiting.
 * @returns whether the command has ended
 * @throws NotFound
 */
export async function bulkCommandEnds(scope: Waiting, id: string, seconds: number): Promise<boolean> {
  const { db, searchTurn } = scope;
  const wait = longWait(searchTurn, searchTurn.isConnected ? 0 : Math.min(seconds, maxSeconds));
  await findBulkCommand(scope, id);
  return ends(async () => (await findActiveCommand(db, id)) !== null, wait);
}

/** Waits until all commands of the caller have ended. Returns whether they have. */
export const ownCommandsEnd = ({ db, user }: Waiting, wait: LongWait): Promise<boolean> =>
  ends(() => hasActiveCommand(db, user.id), wait);
