import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { openDatabase } from '../embedded/open-database.ts';
import { type Progress, showProgress } from './progress.ts';
import { interruption } from './run-command.ts';
import type { Surroundings } from './surroundings.ts';

/** What work on the database may use that Ctrl+C ends. */
interface Interruptible {
  readonly database: Database;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/** Works on the database of the settings. @returns undefined where work failed since it was interrupted. */
export async function untilInterrupted<Report>(
  config: Config,
  surroundings: Surroundings,
  work: (use: Interruptible) => Promise<Report>,
): Promise<Report | undefined> {
  const { database } = await openDatabase(config);
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
