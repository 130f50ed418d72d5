import { setTimeout } from 'node:timers/promises';
import type { Scope } from '../../scope.ts';
import type { LongWait } from '../../services.ts';
import { findActiveCommand, hasActiveCommand } from './active-command.ts';
import { findBulkCommand } from './commands.ts';
import { longWait } from './long-wait.ts';

const longestSeconds = 60;

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
 * Whether a command has ended, or does so within so many seconds. No connection of the database is held
 * meanwhile: in a transaction, which has one, it is looked at once.
 * @throws NotFound
 */
export async function bulkCommandEnds(scope: Waiting, id: string, seconds: number): Promise<boolean> {
  const { db, searchTurn } = scope;
  const wait = longWait(searchTurn, searchTurn.isConnected ? 0 : Math.min(seconds, longestSeconds));
  await findBulkCommand(scope, id);
  return ends(async () => (await findActiveCommand(db, id)) !== undefined, wait);
}

export const ownCommandsEnd = ({ db, user }: Waiting, wait: LongWait): Promise<boolean> =>
  ends(() => hasActiveCommand(db, user.id), wait);
