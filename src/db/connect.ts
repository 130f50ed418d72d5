import type { Config } from '../config.ts';
import { createDatabase, type Database, type Driver } from './database.ts';

// Only the kind of database that is configured is loaded: the other would take megabytes for nothing.

async function connectServer(url: string, config: Config): Promise<Driver> {
  const server = await import('./postgres-server.ts');
  return server.connectServer(url, config.TRANSACTION_TIMEOUT, config.DATABASE_CONNECTIONS);
}

async function connectEmbedded(config: Config): Promise<Driver> {
  const embedded = await import('./embedded.ts');
  return embedded.connectEmbedded(config.DATA_DIR, config.EMBEDDED_PORT);
}

export async function connect(config: Config): Promise<Database> {
  const { DATABASE_URL: url } = config;
  return createDatabase(url === undefined ? await connectEmbedded(config) : await connectServer(url, config));
}
