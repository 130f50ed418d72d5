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
 * Waits until a command has ended, for up to the given number of seconds. The wait holds no database connection. A
 * transaction, which would hold one, reads the state once and does not wait.
 * @returns whether the command has ended
 * @throws NotFound
 */
export async function bulkCommandEnds(scope: Waiting, id: string, seconds: number): Promise<boolean> {
  const { db, searchTurn } = scope;
  const wait = longWait(searchTurn, searchTurn.isConnected ? 0 : Math.min(seconds, maxSeconds));
  await findBulkCommand(scope, id);
  return ends(async () => (await findActiveCommand(db, id)) !== null, wait);
}

/** Whether all commands of the caller end during a wait. */
export const ownCommandsEnd = ({ db, user }: Waiting, wait: LongWait): Promise<boolean> =>
  ends(() => hasActiveCommand(db, user.id), wait);
