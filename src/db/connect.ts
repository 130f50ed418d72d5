import type { Config } from '../config.ts';
import { createDatabase, type Database } from './database.ts';
import { connectEmbedded } from './embedded.ts';
import { connectServer } from './server.ts';

/** The database that the settings name: a PostgreSQL server, or the one embedded in DATA_DIR. */
export async function connect(config: Config): Promise<Database> {
  const driver = config.DATABASE_URL
    ? connectServer(config.DATABASE_URL, config.TRANSACTION_TIMEOUT, config.DATABASE_CONNECTIONS)
    : await connectEmbedded(config.DATA_DIR, config.EMBEDDED_PORT);
  return createDatabase(driver);
}
