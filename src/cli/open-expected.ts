import { resolve } from 'node:path';
import type { Config } from '../config.ts';
import { hasEmbedded, type OpenDatabase, openDatabase } from '../embedded/open-database.ts';
import { consoleOf, type Surroundings } from './surroundings.ts';

/** Opens the database of the settings. Prints a warning if this creates a new one, because DATA_DIR may be wrong. */
export function openExpected(config: Config, surroundings: Surroundings): Promise<OpenDatabase> {
  if (config.DATABASE_URL === undefined && !hasEmbedded(config.DATA_DIR))
    consoleOf(surroundings).error(
      `There is no database in ${resolve(config.DATA_DIR)}, so a new one is created. To use another one, set DATA_DIR.`,
    );
  return openDatabase(config);
}
