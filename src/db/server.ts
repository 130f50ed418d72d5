import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { TimedOut } from '../errors.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { type Connection, connectionWait, type Driver, type Query } from './database.ts';
import { createNotifications } from './notifications.ts';
import { createPipeline } from './pipeline.ts';
import { createSockets } from './sockets.ts';
import { withinTransaction } from './within-transaction.ts';

/** Prepared statements kept per connection; texts beyond that are parsed each time. */
const namedStatements = 500;

/** Names each of the first texts it sees, so that a connection parses and plans it once. */
function statementNames(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (names.size >= namedStatements) return '';
    const name = createHash('sha256').update(sql).digest('hex').slice(0, 32);
    names.set(sql, name);
    return name;
  };
}

type PrismaPgOptions = NonNullable<ConstructorParameters<typeof PrismaPg>[1]>;

const { CHAR, TEXT } = pg.types.builtins;

/** A driver adapter for the schema engine, which asks for more than Prisma does. */
function schemaAdapter(pool: pg.Pool): SqlMigrationAwareDriverAdapterFactory {
  // The system catalog's own type `"char"` is shown as text: Prisma's adapter does not know it.
  const query = async (config: pg.QueryArrayConfig, values: unknown[]) => {
    const answer = await pool.query(config, values);
    for (const { fields } of [answer].flat())
      for (const field of fields) if (field.dataTypeID === CHAR) field.dataTypeID = TEXT;
    return answer;
  };
  const factory = new PrismaPg(Object.assign(Object.create(pool), { query }));
  return Object.assign(Object.create(factory), {
    connect: async () => {
      const adapter = await factory.connect();
      // A migration goes as a whole, and is done as a whole. Prisma's adapter would cut it at every semicolon, those
      // of comments and functions too.
      const executeScript = async (sql: string) =>
        void (await adapter.executeRaw({ sql, args: [], argTypes: [] }));
      return Object.assign(Object.create(adapter), { executeScript });
    },
  });
}

/** Held while migrations and stock content are laid down; any number that is ours alone. */
const advisoryLock = 7_115_471;

/** Idle connections are kept so long, in milliseconds: what was prepared on them would be prepared anew. */
const idle = 60_000;

const notReleased = () => {};

/** PostgreSQL's number for lists of UUIDs. */
const uuidList = 2951;

/** Nothing in a list of UUIDs is quoted: there is no need to look at it character by character, as `pg` does. */
const readUuids = (text: string): string[] => (text === '{}' ? [] : text.slice(1, -1).split(','));

const types: pg.CustomTypesConfig = {
  getTypeParser: (type: number, format?: 'text' | 'binary') =>
    type === uuidList && format !== 'binary' ? readUuids : pg.types.getTypeParser(type, format as 'text'),
};

/** Compiling a statement takes longer than those that an answer waits for: the searches of many documents, twice as long. */
const interpreted = '-c jit=off';

/** Whatever the keys, they are found by the same index: planning for each list of them anew takes longer than looking. */
const plannedOnce = '-c plan_cache_mode=force_generic_plan';

/** Connections shared by quick statements: one would do, two keep both ends busy. */
const sharedConnections = 2;

/** One connection of the pool as a transaction uses it: the same object whenever it is the same connection. */
function pinned(pool: pg.Pool, options: PrismaPgOptions): (client: pg.PoolClient) => Connection {
  const connections = new WeakMap<pg.PoolClient, Connection>();
  return (client) => {
    const known = connections.get(client);
    if (known) return known;
    // What loaders ask at once waits here: `pg` warns of queries on a connection that is busy, and will refuse them.
    const inTurn = oneAtATime();
    const query = (config: pg.QueryArrayConfig, values?: unknown[]) =>
      inTurn(() => client.query(config, values));
    const alone: pg.Pool = Object.assign(Object.create(pool), {
      query,
      // Prisma listens to its pool, once for every connection there ever was: the pool has a listener of ours.
      on: () => alone,
      removeListener: () => alone,
      connect: async () => Object.assign(Object.create(client), { query, release: notReleased }),
    });
    const connection = {
      query: async ({ name, text }: Query, values: unknown[]) =>
        (await inTurn(() => client.query({ name, text, values }))).rows,
      adapter: withinTransaction(new PrismaPg(alone, options)),
    };
    connections.set(client, connection);
    return connection;
  };
}

/** A statement that is waited for so many milliseconds: a server that has fallen silent says nothing of its own timeout. */
const within = <Config extends object>(config: Config, milliseconds: number): Config =>
  Object.assign({}, config, { query_timeout: milliseconds });

/** What `pg` says when they are over. */
const isSilent = (fault: unknown): boolean =>
  fault instanceof Error && fault.message === 'Query read timeout';

/** The same pool, whose statements are waited for so long and no longer. */
const patient = (pool: pg.Pool, milliseconds: number): pg.Pool =>
  Object.assign(Object.create(pool), {
    query: (config: pg.QueryArrayConfig, values?: unknown[]) =>
      pool.query(within(config, milliseconds), values),
  });

/**
 * A PostgreSQL server, through one pool that Prisma and the hot statements share.
 * @param statementTimeout in seconds.
 * @param connections the size of the pool.
 */
export function connectServer(connectionString: string, statementTimeout: number, connections = 10): Driver {
  const sockets = createSockets();
  const settings = {
    ...{ connectionString, types, stream: sockets.create, options: interpreted },
    connectionTimeoutMillis: connectionWait,
    statement_timeout: statementTimeout * 1000,
  };
  const pool = new pg.Pool({ ...settings, max: connections, idleTimeoutMillis: idle });
  // A connection broke, idle or between two statements of a transaction: the next statement tells.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const statements = patient(pool, statementTimeout * 1000 + connectionWait);
  const shared = { ...settings, options: `${interpreted} ${plannedOnce}`, query_timeout: connectionWait };
  const pipeline = createPipeline(shared, sharedConnections);
  const options = { statementNameGenerator: statementNames() };
  const connectionOf = pinned(pool, options);
  const { statement, listen, close } = createNotifications({ connectionString, stream: sockets.create });
  return {
    adapter: new PrismaPg(statements, options),
    schemaAdapter: schemaAdapter(pool),
    query: async (query, values) =>
      query.isQuick
        ? pipeline.query(query, values)
        : (await statements.query({ name: query.name, text: query.text, values })).rows,
    transaction: async (milliseconds, work, announced) => {
      const client = await pool.connect();
      const isUsual = milliseconds === statementTimeout * 1000;
      let fault: unknown;
      try {
        const text = isUsual ? 'BEGIN' : `BEGIN; SET LOCAL statement_timeout = ${milliseconds}`;
        await client.query(within({ text }, connectionWait));
        const result = await work(connectionOf(client));
        await client.query(announced.size > 0 ? `${statement(announced)}; COMMIT` : 'COMMIT');
        return result;
      } catch (error) {
        fault = error;
        throw error;
      } finally {
        // A statement may still run: its connection is given up, and the server rolls back what it did.
        const isStuck = fault instanceof TimedOut || isSilent(fault);
        const failed =
          fault && !isStuck ? await client.query('ROLLBACK').catch((error: Error) => error) : undefined;
        client.release(isStuck || failed instanceof Error);
      }
    },
    exclusively: async (work) => {
      // A connection of its own: transaction-scoped, since session locks do not exist on every engine.
      const client = new pg.Client({ connectionString });
      client.on('error', () => {}); // should it break meanwhile, the work has connections of its own to tell
      await client.connect();
      try {
        await client.query('BEGIN');
        await client.query('SELECT pg_advisory_xact_lock($1)', [advisoryLock]);
        return await work();
      } finally {
        await client.end();
      }
    },
    others: { listen, tell: async (topic) => void (await pool.query(statement([topic]))) },
    close: () => sockets.close(Promise.all([close(), pool.end(), pipeline.close()])),
  };
}
