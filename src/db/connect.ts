import type { Config } from '../config.ts';
import { createDatabase, type Database, type Driver } from './database.ts';

// Each kind of database is loaded when it is the one that is named: the other is megabytes that nobody would use.

async function connectServer(url: string, config: Config): Promise<Driver> {
  const server = await import('./server.ts');
  return server.connectServer(url, config.TRANSACTION_TIMEOUT, config.DATABASE_CONNECTIONS);
}

async function connectEmbedded(config: Config): Promise<Driver> {
  const embedded = await import('./embedded.ts');
  return embedded.connectEmbedded(config.DATA_DIR, config.EMBEDDED_PORT);
}

/** The database that the settings name: a PostgreSQL server, or the one embedded in DATA_DIR. */
export async function connect(config: Config): Promise<Database> {
  const { DATABASE_URL: url } = config;
  return createDatabase(url === undefined ? await connectEmbedded(config) : await connectServer(url, config));
}
