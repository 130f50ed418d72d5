import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { createDatabase, type Database } from '../../src/db/database.ts';
import { databaseFolder, embeddedDriver, openEmbedded } from '../../src/db/embedded.ts';
import { connectServer } from '../../src/db/server.ts';

/** A PostgreSQL server on which tests may create databases; without it they run on the embedded one. */
const serverUrl = process.env.TEST_DATABASE_URL;

/** Made once per run and handed to the workers: a database with migrations and stock content laid down. */
const template = 'QUIRE_TEST_TEMPLATE';

/** Whether the suite runs on a PostgreSQL server. */
export const isOnServer = serverUrl !== undefined;

async function administer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

const urlOf = (name: string): string => {
  const url = new URL(serverUrl ?? '');
  url.pathname = `/${name}`;
  return url.href;
};

const newName = (): string => `quire_test_${randomUUID().replaceAll('-', '')}`;

/** A database of its own for a test file, dropped when it is closed. */
export interface TestDatabase {
  readonly database: Database;
  /** On a server, where it is. */
  readonly url: string | undefined;
}

async function onServer(sql: (name: string) => string, connections?: number): Promise<TestDatabase> {
  const name = newName();
  await administer(sql(name));
  const database = createDatabase(connectServer(urlOf(name), 300, connections));
  const close = async () => {
    await database.close();
    await administer(`DROP DATABASE "${name}" WITH (FORCE)`);
  };
  return { url: urlOf(name), database: { ...database, close } };
}

/** A database without tables. */
export async function emptyDatabase(): Promise<TestDatabase> {
  if (isOnServer) return onServer((name) => `CREATE DATABASE "${name}"`);
  return { url: undefined, database: createDatabase(embeddedDriver(await openEmbedded())) };
}

/** A database with tables and stock content; on a server, through a pool of so many connections. */
export async function stockedDatabase(connections?: number): Promise<TestDatabase> {
  const from = process.env[template] ?? '';
  if (isOnServer) return onServer((name) => `CREATE DATABASE "${name}" TEMPLATE "${from}"`, connections);
  const loadDataDir = await openAsBlob(from);
  return { url: undefined, database: createDatabase(embeddedDriver(await openEmbedded({ loadDataDir }))) };
}

/** Lays what `stockedDatabase` copies into the data folder of an embedded database, for a process to open. */
export async function stockFolder(dataDir: string): Promise<void> {
  const folder = databaseFolder(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await promisify(execFile)('tar', ['-xf', process.env[template] ?? '', '-C', folder]);
}

/** Makes the template that `stockedDatabase` copies; answers how to remove it. */
export async function makeTemplate(lay: (database: Database) => Promise<void>): Promise<() => Promise<void>> {
  if (isOnServer) {
    const name = newName();
    await administer(`CREATE DATABASE "${name}"`);
    const database = createDatabase(connectServer(urlOf(name), 300));
    await lay(database);
    await database.close();
    process.env[template] = name;
    return () => administer(`DROP DATABASE "${name}" WITH (FORCE)`);
  }
  const folder = await mkdtemp(join(tmpdir(), 'quire-template-'));
  const database = createDatabase(embeddedDriver(await openEmbedded({ dataDir: folder })));
  await lay(database);
  // Packed after a clean shutdown: a copy of a running database would recover first, and start slowly.
  await database.close();
  const file = `${folder}.tar`;
  await promisify(execFile)('tar', ['-cf', file, '-C', folder, '.']);
  await rm(folder, { recursive: true });
  process.env[template] = file;
  return () => rm(file, { force: true });
}
