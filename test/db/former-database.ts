import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { emptyDatabase, type TestDatabase } from '../support/database.ts';

/** A dump by the last build of Quire 0.1 on PostgreSQL 15, with the stock content and the documents of a team. */
const dump = new URL('quire-0.1.sql.gz', import.meta.url);

/** Creates a database as Quire 0.1 left it. @param sql statements to run afterwards. */
export async function formerDatabase(sql = ''): Promise<TestDatabase> {
  const database = await emptyDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(gunzipSync(await readFile(dump)).toString());
  await client.query(`SET search_path = public; ${sql}`);
  await client.end();
  return database;
}
