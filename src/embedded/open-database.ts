import type { Config } from '../config.ts';
import { createDatabase, type Database } from '../db/database.ts';
import { connectServer } from '../db/postgres-server.ts';
import { attachEmbedded, type EmbeddedDatabase } from './attach.ts';

export interface OpenDatabase {
  readonly database: Database;
  readonly url: string;
  /** Of the embedded one: what runs where, and whether it is the fallback. */
  readonly embedded?: Pick<EmbeddedDatabase, 'notice' | 'isFallback'>;
}

type DatabaseConfig = Pick<
  Config,
  | 'DATABASE_URL'
  | 'DATA_DIR'
  | 'EMBEDDED_PORT'
  | 'EMBEDDED_ENGINE'
  | 'TRANSACTION_TIMEOUT'
  | 'DATABASE_CONNECTIONS'
>;

export const openEmbedded = (config: DatabaseConfig): Promise<EmbeddedDatabase> =>
  attachEmbedded({ dataDir: config.DATA_DIR, port: config.EMBEDDED_PORT, engine: config.EMBEDDED_ENGINE });

/** The database that the settings name: DATABASE_URL, else the embedded one. @throws Unavailable */
export async function openDatabase(config: DatabaseConfig): Promise<OpenDatabase> {
  const connected = (url: string, connections = config.DATABASE_CONNECTIONS) =>
    createDatabase(connectServer(url, config.TRANSACTION_TIMEOUT, connections));
  const { DATABASE_URL: url } = config;
  if (url !== undefined) return { url, database: connected(url) };
  const embedded = await openEmbedded(config);
  const database = connected(embedded.url, embedded.connections);
  const disconnect = database.close;
  const close = async () => {
    await disconnect();
    await embedded.close();
  };
  return { url: embedded.url, database: Object.assign(database, { close }), embedded };
}
