import type { Database } from '../db/database.ts';
import type { OpenDatabase } from '../embedded/open-database.ts';
import { type Progress, showProgress } from './progress.ts';
import { interruption } from './run-command.ts';
import type { Surroundings } from './surroundings.ts';

/** The objects with which interruptible work on the database runs. */
interface Interruptible {
  readonly database: Database;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/** Runs work on a database and then closes it. @returns undefined if the work was interrupted by Ctrl+C. */
export async function untilInterrupted<Report>(
  { database }: Pick<OpenDatabase, 'database'>,
  surroundings: Surroundings,
  work: (use: Interruptible) => Promise<Report>,
): Promise<Report | undefined> {
  const signal = interruption(surroundings);
  const progress = showProgress(surroundings.stderr);
  try {
    return await work({ database, signal, progress });
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    progress.stop();
    await database.close();
  }
}
