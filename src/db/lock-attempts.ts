import { setTimeout as wait } from 'node:timers/promises';

/** The maximum number of milliseconds that a statement of a migration waits for a lock. */
const lockTimeout = 1_000;

/** The number of milliseconds between two attempts. */
const attemptInterval = 4_000;

/** The SQLSTATEs of a lock timeout and of a deadlock. */
const lockFaults = ['55P03', '40P01'];

/**
 * The SQL that limits how long the statements of a transaction wait for a lock. While a migration waits for a table,
 * all later statements on this table wait for the migration. Without a limit, one long transaction, such as that of a
 * backup, would therefore stop the other servers.
 */
export const limitLockWait = `SET LOCAL lock_timeout = ${lockTimeout}`;

/** Repeats a transaction until it gets its locks. Between two attempts, waiting statements of other servers can run. */
export async function untilLocked<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!lockFaults.includes((error as { code?: string }).code ?? '')) throw error;
      if (count === 1)
        process.emitWarning(
          'The migration is waiting for another transaction to release its locks, and is retried every ' +
            `${attemptInterval / 1000} seconds. The command "quire doctor database" shows old transactions.`,
        );
      await wait(attemptInterval);
    }
  }
}
