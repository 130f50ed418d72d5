import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createDatabase, type Database } from '../../src/db/database.ts';
import { connectServer } from '../../src/db/postgres-server.ts';

/**
 * The environment variable with the name of the template, which is a database with all migrations and the default
 * content. The template is created once per run, and the variable is passed on to the workers.
 */
const template = 'QUIRE_TEST_TEMPLATE';

const templateName = (): string => process.env[template] ?? '';

/**
 * Returns the URL of the PostgreSQL server on which tests create databases: TEST_DATABASE_URL, which global-setup.ts
 * sets by default.
 */
const serverUrl = (): string => process.env.TEST_DATABASE_URL ?? '';

/** A client with the methods `ref` and `unref`, which the types of `pg` lack. */
type Client = pg.Client & Record<'ref' | 'unref', () => void>;

const shared = globalThis as { administering?: Promise<Client> | undefined };

/** Returns the connection that creates and drops databases. All test files of a worker share it. */
function administering(): Promise<Client> {
  shared.administering ??= (async () => {
    const client = new pg.Client({ connectionString: serverUrl() }) as Client;
    client.on('error', () => {
      shared.administering = undefined;
    });
    await client.connect();
    return client;
  })();
  return shared.administering;
}

async function administer(sql: string): Promise<void> {
  const client = await administering();
  client.ref();
  try {
    await client.query(sql);
  } finally {
    client.unref(); // An idle connection must not keep the process alive.
  }
}

const urlOf = (name: string): string => {
  const url = new URL(serverUrl());
  url.pathname = `/${name}`;
  return url.href;
};

const newName = (): string => `quire_test_${randomUUID().replaceAll('-', '')}`;

/** A database for one test file, which is dropped when it is closed. */
export interface TestDatabase extends AsyncDisposable {
  readonly database: Database;
  readonly url: string;
  /** Returns the SQL that would make the tables match `schema.prisma`. */
  readonly drift: () => Promise<string>;
}

async function driftAt(url: string): Promise<string> {
  const { catalogAdapter, schemaDrift } = await import('./schema-drift.ts');
  const pool = new pg.Pool({ connectionString: url });
  try {
    return await schemaDrift(catalogAdapter(pool));
  } finally {
    await pool.end();
  }
}

/**
 * Creates a pool for the database at a URL. @param remove drops the database after the pool has been closed
 */
function at(url: string, connections: number | undefined, remove: () => Promise<void>): TestDatabase {
  const database = createDatabase(connectServer(url, 300, connections));
  const disconnect = database.close;
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= disconnect().then(remove); // Both a test and its server can close the database.
    return closing;
  };
  return {
    url,
    database: Object.assign(database, { close }),
    drift: () => driftAt(url),
    [Symbol.asyncDispose]: close,
  };
}

async function onServer(options: string, connections?: number): Promise<TestDatabase> {
  const name = newName();
  await administer(`CREATE DATABASE "${name}" STRATEGY = FILE_COPY ${options}`);
  return at(urlOf(name), connections, () => administer(`DROP DATABASE "${name}" WITH (FORCE)`));
}

/** Creates a database without tables. */
export const emptyDatabase = (): Promise<TestDatabase> => onServer('');

/** Creates a database with all tables and the default content. @param connections the size of its pool */
export const stockedDatabase = (connections?: number): Promise<TestDatabase> =>
  onServer(`TEMPLATE "${templateName()}"`, connections);

/** Creates the template database that `stockedDatabase` copies. @returns a function that drops it */
export async function makeTemplate(lay: (database: Database) => Promise<void>): Promise<() => Promise<void>> {
  const name = newName();
  process.env[template] = name;
  await administer(`CREATE DATABASE "${name}"`);
  await using made = at(urlOf(name), undefined, async () => {});
  await lay(made.database);
  return () => administer(`DROP DATABASE "${name}" WITH (FORCE)`);
}
