import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { loadModule } from 'libpg-query';
import { toTheEnd } from './closing.ts';
import { execute, startCluster } from './postgres.ts';
import { type ReadStatement, readStatement, type Shards, type Spread } from './sharding/shards.ts';

/**
 * Which statements of the test suite would touch one shard, and which several, if the tables of documents were spread
 * over servers: `npx tsx bench/sharding.ts [TEST PATHS]` runs the suite, or these files of it, on a PostgreSQL that
 * keeps the statements. The server must be built: `npm run build`.
 */

interface Sent {
  readonly query: string;
  readonly calls: number;
}

/** The statements of all databases, with $n for each value; those of migrations and of the catalogues are left out. */
const sentQuery = `
  SELECT query, sum(calls)::float8 AS calls FROM pg_stat_statements
  WHERE query ~* '^\\s*(SELECT|WITH|INSERT|UPDATE|DELETE|MERGE)' AND query !~ 'pg_catalog|information_schema|pg_stat'
  GROUP BY query`;

const columnsQuery = `
  SELECT c.table_name AS name, array_agg(c.column_name::text) AS columns
  FROM information_schema.columns c WHERE c.table_schema = 'public' GROUP BY 1`;

/** What tables are spread by, in the order of the table that is printed. */
const keys: ReadonlyArray<{
  name: string;
  columnsOf: (table: string, columns: readonly string[]) => string[];
}> = [
  {
    name: 'repository',
    columnsOf: (_table, columns) => columns.filter((column) => column === 'repository'),
  },
  {
    name: 'id of the document',
    columnsOf: (table, columns) => {
      const own = ['document', 'search_document'].includes(table) ? 'id' : 'document_id';
      return columns.includes('repository') ? columns.filter((column) => column === own) : [];
    },
  },
  {
    name: 'id of the parent',
    columnsOf: (table, columns) =>
      ['document', 'search_document'].includes(table)
        ? columns.filter((column) => column === 'parent_id')
        : columns.filter((column) => column === 'document_id' && columns.includes('repository')),
  },
];

async function runSuite(paths: readonly string[], url: string): Promise<void> {
  const program = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--silent', ...paths];
  const env = { ...process.env, TEST_DATABASE_URL: url };
  const [code] = (await once(spawn(process.execPath, program, { env, stdio: 'inherit' }), 'exit')) as [
    number,
  ];
  if (code !== 0) console.log('some tests failed: their statements count all the same');
}

function spreadBy(
  tables: ReadonlyArray<{ name: string; columns: string[] }>,
  { columnsOf }: (typeof keys)[number],
): Spread {
  const all = tables.map(({ name, columns }) => [name, columnsOf(name, columns)] as const);
  return new Map(all.filter(([, columns]) => columns.length > 0));
}

const order: readonly Shards[] = ['one shard', 'some shards', 'all shards', 'no shard'];

const percent = (part: number, all: number): string => `${((100 * part) / all).toFixed(1)} %`;

function print(name: string, read: ReadonlyArray<ReadStatement & Sent>): void {
  const calls = read.reduce((sum, { calls }) => sum + calls, 0);
  const cells = order.map((shards) => {
    const those = read.filter((each) => each.shards === shards);
    return `${those.length}, ${percent(
      those.reduce((sum, each) => sum + each.calls, 0),
      calls,
    )}`;
  });
  console.log(`| ${name} | ${cells.join(' | ')} |`);
}

function printWorst(read: ReadonlyArray<ReadStatement & Sent>): void {
  const worst = read.filter(({ shards }) => shards === 'all shards').sort((a, b) => b.calls - a.calls);
  for (const { query, calls, tables } of worst)
    console.log(`${calls} × ${[...tables].join(', ')}: ${query.replaceAll(/\s+/g, ' ').slice(0, 300)}`);
}

/** Rules that a server cannot hold for rows on others: unique without the key, and references to what is spread otherwise. */
const brokenQuery = `
  SELECT c.conrelid::regclass::text AS "table", c.conname AS name, pg_get_constraintdef(c.oid) AS rule
  FROM pg_constraint c
  WHERE c.connamespace = 'public'::regnamespace AND c.contype IN ('p', 'u', 'f')
    AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.conrelid AND a.attname = 'repository')
    AND NOT EXISTS (SELECT FROM pg_attribute a
      WHERE a.attrelid = c.conrelid AND a.attname = 'repository' AND a.attnum = ANY (c.conkey))
  ORDER BY 1, 2`;

async function main(): Promise<void> {
  await loadModule();
  const { url } = await startCluster({
    settings: {
      shared_preload_libraries: 'pg_stat_statements',
      'pg_stat_statements.max': '50000',
      max_connections: '300',
      fsync: 'off',
    },
  });
  await execute(url, 'CREATE EXTENSION pg_stat_statements');
  await execute(url, 'CREATE DATABASE quire');
  const own = new URL(url);
  own.pathname = '/quire';
  await promisify(execFile)(process.execPath, ['bin/quire.js', 'migrate'], {
    env: { PATH: process.env.PATH, DATABASE_URL: own.href },
  });
  const sentNow = async () => (await execute(url, sentQuery)) as Sent[];
  const migrating = new Set((await sentNow()).map(({ query }) => query));
  await runSuite(process.argv.slice(2), url);
  const tables = (await execute(own.href, columnsQuery)) as Array<{ name: string; columns: string[] }>;
  const sent = (await sentNow()).filter(({ query }) => !migrating.has(query));
  const skipped: string[] = [];
  console.log(`| spread by | ${order.join(' | ')} |\n| --- | --- | --- | --- | --- |`);
  for (const key of keys) {
    const spread = spreadBy(tables, key);
    const read = sent.flatMap((statement) => {
      try {
        return [{ ...statement, ...readStatement(statement.query, spread) }];
      } catch {
        skipped.push(statement.query);
        return [];
      }
    });
    print(key.name, read);
    if (key === keys[0]) printWorst(read);
  }
  console.log(`${sent.length} statements; not read: ${new Set(skipped).size}`);
  for (const { table, name, rule } of (await execute(own.href, brokenQuery)) as Array<Record<string, string>>)
    console.log(`rule without the repository: ${table}.${name}: ${rule}`);
}

await toTheEnd(main);
