import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { connectionWait, type Driver } from './database.ts';

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

const { CHAR, TEXT } = pg.types.builtins;

/** The pool with the system catalog's own type `"char"` shown as text: Prisma's adapter does not know it. */
function describing(pool: pg.Pool): pg.Pool {
  const query = async (config: pg.QueryArrayConfig, values: unknown[]) => {
    const result = await pool.query(config, values);
    for (const field of result.fields) if (field.dataTypeID === CHAR) field.dataTypeID = TEXT;
    return result;
  };
  return Object.assign(Object.create(pool), { query });
}

/** Held while migrations and stock content are laid down; any number that is ours alone. */
const advisoryLock = 7_115_471;

/** A PostgreSQL server, through one pool that Prisma and the hot reads share. */
export function connectServer(connectionString: string, statementTimeout: number): Driver {
  const pool = new pg.Pool({
    connectionString,
    connectionTimeoutMillis: connectionWait,
    statement_timeout: statementTimeout * 1000,
  });
  pool.on('error', () => {}); // an idle connection broke: the pool replaces it, the next query tells
  return {
    adapter: new PrismaPg(pool, { statementNameGenerator: statementNames() }),
    describing: new PrismaPg(describing(pool)),
    statementTimeout,
    query: async ({ name, text }, values) => (await pool.query({ name, text, values })).rows,
    exclusively: async (work) => {
      // A connection of its own: transaction-scoped, since session locks do not exist on every engine.
      const client = new pg.Client({ connectionString });
      await client.connect();
      try {
        await client.query('BEGIN');
        await client.query('SELECT pg_advisory_xact_lock($1)', [advisoryLock]);
        return await work();
      } finally {
        await client.end();
      }
    },
    close: () => pool.end(),
  };
}
