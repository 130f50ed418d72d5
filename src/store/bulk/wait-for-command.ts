import { setTimeout } from 'node:timers/promises';
import type { Scope } from '../../scope.ts';
import { findActiveCommand } from './active-command.ts';
import { findBulkCommand } from './commands.ts';

const longestSeconds = 60;

const pauseMilliseconds = 250;

/**
 * Whether a command has ended, or does so within so many seconds. No connection of the database is held
 * meanwhile: in a transaction, which has one, it is looked at once.
 * @throws NotFound
 */
export async function bulkCommandEnds(
  scope: Pick<Scope, 'db' | 'user' | 'searchTurn'>,
  id: string,
  seconds: number,
): Promise<boolean> {
  const { db, searchTurn } = scope;
  const end = performance.now() + 1000 * Math.min(seconds, longestSeconds);
  await findBulkCommand(scope, id);
  while (await findActiveCommand(db, id)) {
    const left = end - performance.now();
    if (left <= 0 || searchTurn.isConnected || searchTurn.client?.closed) return false;
    await setTimeout(Math.min(left, pauseMilliseconds));
  }
  return true;
}
