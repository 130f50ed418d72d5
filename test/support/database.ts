import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { createDatabase, type Database } from '../../src/db/database.ts';
import { databaseFolder, embeddedDriver, openEmbedded } from '../../src/db/embedded.ts';
import { connectServer } from '../../src/db/postgres-server.ts';
import { newFolder } from './folder.ts';

/** A PostgreSQL server on which tests may create databases; without it they run on the embedded one. */
const serverUrl = process.env.TEST_DATABASE_URL || undefined;

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
export interface TestDatabase extends AsyncDisposable {
  readonly database: Database;
  /** On a server, where it is. */
  readonly url: string | undefined;
  /** The SQL by which the tables differ from `schema.prisma`. */
  readonly drift: () => Promise<string>;
}

async function onEmbedded(from?: { loadDataDir: Blob }): Promise<TestDatabase> {
  const db = await openEmbedded(from);
  const drift = async () => {
    const { schemaDrift } = await import('./schema-drift.ts');
    return schemaDrift(new PrismaPGlite(db));
  };
  const database = createDatabase(embeddedDriver(db));
  return { url: undefined, drift, database, [Symbol.asyncDispose]: database.close };
}

async function onServer(sql: (name: string) => string, connections?: number): Promise<TestDatabase> {
  const name = newName();
  await administer(sql(name));
  const database = createDatabase(connectServer(urlOf(name), 300, connections));
  const close = async () => {
    await database.close();
    await administer(`DROP DATABASE "${name}" WITH (FORCE)`);
  };
  const drift = async () => {
    const { catalogAdapter, schemaDrift } = await import('./schema-drift.ts');
    const pool = new pg.Pool({ connectionString: urlOf(name) });
    try {
      return await schemaDrift(catalogAdapter(pool));
    } finally {
      await pool.end();
    }
  };
  return { url: urlOf(name), drift, database: { ...database, close }, [Symbol.asyncDispose]: close };
}

/** A database without tables. */
export async function emptyDatabase(): Promise<TestDatabase> {
  if (isOnServer) return onServer((name) => `CREATE DATABASE "${name}"`);
  return onEmbedded();
}

/** A database with tables and stock content; on a server, through a pool of so many connections. */
export async function stockedDatabase(connections?: number): Promise<TestDatabase> {
  const from = process.env[template] ?? '';
  if (isOnServer) return onServer((name) => `CREATE DATABASE "${name}" TEMPLATE "${from}"`, connections);
  const loadDataDir = await openAsBlob(from);
  return onEmbedded({ loadDataDir });
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
  const folder = newFolder();
  const database = createDatabase(embeddedDriver(await openEmbedded({ dataDir: folder })));
  await lay(database);
  // Packed after a clean shutdown: a copy of a running database would recover first, and start slowly.
  await database.close();
  const file = `${folder}.tar`;
  await promisify(execFile)('tar', ['-cf', file, '-C', folder, '.']);
  process.env[template] = file;
  return async () => {};
}
