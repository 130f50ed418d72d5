import pg from 'pg';
import { connectionTimeout } from './database.ts';

/** Returns the version of a PostgreSQL server, which proves that the server responds. */
export async function serverVersion(url: URL): Promise<string> {
  const client = new pg.Client({ connectionString: url.href, connectionTimeoutMillis: connectionTimeout });
  try {
    await client.connect();
    return (await client.query<{ version: string }>('SELECT version()')).rows[0]?.version ?? '';
  } finally {
    await client.end().catch(() => {}); // the connection was never established; the error of `connect` is thrown anyway
  }
}
