import { existsSync } from 'node:fs';
import type { Config } from '../config.ts';
import { connectionsOfAll } from '../db/connections.ts';
import { createDatabase, type Database, type PrimaryDatabase } from '../db/database.ts';
import { connectServer } from '../db/postgres-server.ts';
import { createReads } from '../db/replicas/reads.ts';
import { attachEmbedded, type EmbeddedDatabase } from './attach.ts';
import { fallbackFolder, hasCluster } from './place.ts';

export interface OpenDatabase {
  readonly database: Database;
  readonly url: string;
  /** Set if the database is the embedded one. */
  readonly embedded?: Pick<EmbeddedDatabase, 'notice'>;
}

type DatabaseConfig = Pick<
  Config,
  | 'DATABASE_URL'
  | 'DATABASE_REPLICA_URLS'
  | 'DATA_DIR'
  | 'EMBEDDED_PORT'
  | 'TRANSACTION_TIMEOUT'
  | 'DATABASE_CONNECTIONS'
  | 'SEARCH_LANGUAGE'
  | 'WORKERS'
>;

/** Whether a data folder contains an embedded database of this or an earlier release. */
export const hasEmbedded = (dataDir: string): boolean =>
  hasCluster(dataDir) || existsSync(fallbackFolder(dataDir));

/**
 * Starts the embedded database that the settings specify, or connects to it. @throws Unavailable if it cannot run.
 */
export const openEmbedded = (config: DatabaseConfig): Promise<EmbeddedDatabase> =>
  attachEmbedded({
    dataDir: config.DATA_DIR,
    port: config.EMBEDDED_PORT,
    connections: connectionsOfAll(config),
  });

/**
 * Opens the database at DATABASE_URL or, if this is not set, the embedded database.
 * @throws Unavailable if the embedded database cannot run.
 */
export async function openDatabase(
  config: DatabaseConfig,
  pool = config.DATABASE_CONNECTIONS,
): Promise<OpenDatabase> {
  const connected = (at: string) =>
    connectServer(at, config.TRANSACTION_TIMEOUT, pool, config.SEARCH_LANGUAGE);
  const { DATABASE_URL: url, DATABASE_REPLICA_URLS: replicas } = config;
  if (url !== undefined) {
    const replica = (at: string) => [new URL(at).host, createDatabase(connected(at))] as const;
    const readsOf = (primary: PrimaryDatabase) => createReads(primary, new Map(replicas.map(replica)));
    return { url, database: createDatabase(connected(url), replicas.length > 0 ? readsOf : undefined) };
  }
  const embedded = await openEmbedded(config);
  const database = createDatabase(connected(embedded.url));
  const disconnect = database.close;
  const close = async () => {
    await disconnect();
    await embedded.close();
  };
  return { url: embedded.url, database: Object.assign(database, { close }), embedded };
}
