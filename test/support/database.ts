import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createDatabase, type Database } from '../../src/db/database.ts';
import { connectServer } from '../../src/db/postgres-server.ts';

/** Made once per run and handed to the workers: a database with migrations and stock content laid down. */
const template = 'QUIRE_TEST_TEMPLATE';

const templateName = (): string => process.env[template] ?? '';

/** The server on which tests create databases: the one given, else the embedded one that global-setup.ts starts. */
const serverUrl = (): string => process.env.TEST_DATABASE_URL ?? '';

/** Its types lack these. */
type Client = pg.Client & Record<'ref' | 'unref', () => void>;

const kept = globalThis as { administering?: Promise<Client> | undefined };

/** One connection for all test files of a worker. */
function administering(): Promise<Client> {
  kept.administering ??= (async () => {
    const client = new pg.Client({ connectionString: serverUrl() }) as Client;
    client.on('error', () => {
      kept.administering = undefined;
    });
    await client.connect();
    return client;
  })();
  return kept.administering;
}

async function administer(sql: string): Promise<void> {
  const client = await administering();
  client.ref();
  try {
    await client.query(sql);
  } finally {
    client.unref(); // a process may end meanwhile
  }
}

const urlOf = (name: string): string => {
  const url = new URL(serverUrl());
  url.pathname = `/${name}`;
  return url.href;
};

const newName = (): string => `quire_test_${randomUUID().replaceAll('-', '')}`;

/** A database of its own for a test file, gone when it is closed. */
export interface TestDatabase extends AsyncDisposable {
  readonly database: Database;
  readonly url: string;
  /** The SQL by which the tables differ from `schema.prisma`. */
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

/** A database at an address, and what becomes of it when it is closed. */
function at(url: string, connections: number | undefined, remove: () => Promise<void>): TestDatabase {
  const database = createDatabase(connectServer(url, 300, connections));
  const disconnect = database.close;
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= disconnect().then(remove); // a test may close it before its server
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

/** A database without tables. */
export const emptyDatabase = (): Promise<TestDatabase> => onServer('');

/** A database with tables and stock content, through a pool of so many connections. */
export const stockedDatabase = (connections?: number): Promise<TestDatabase> =>
  onServer(`TEMPLATE "${templateName()}"`, connections);

/** Has the template that `stockedDatabase` copies made; answers how to remove it. */
export async function makeTemplate(lay: (database: Database) => Promise<void>): Promise<() => Promise<void>> {
  const name = newName();
  process.env[template] = name;
  await administer(`CREATE DATABASE "${name}"`);
  await using made = at(urlOf(name), undefined, async () => {});
  await lay(made.database);
  return () => administer(`DROP DATABASE "${name}" WITH (FORCE)`);
}
