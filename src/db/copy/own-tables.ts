import { Conflict, Unavailable } from '../../errors.ts';
import type { Migration } from '../migration-files.ts';
import { composed } from '../statement.ts';
import { withBaseline } from '../take-over.ts';
import { type CopyConnection, columnsOf, identifier, ownSchema } from './table-contents.ts';

export const recordName = '_prisma_migrations';

const madeBy =
  (kind: string) =>
  (migrations: readonly Migration[]): string[] => {
    const pattern = new RegExp(`^CREATE (?:OR REPLACE )?${kind} "(\\w+)"`, 'gm');
    return [
      ...new Set(migrations.flatMap(({ sql }) => [...sql.matchAll(pattern)].map(([, name = '']) => name))),
    ];
  };

/** The tables that a migration creates. They are listed because other programs can have tables in the same schema. */
export const tablesMadeBy = madeBy('TABLE');
const functionsMadeBy = madeBy('FUNCTION');
const configurationsMadeBy = madeBy('TEXT SEARCH CONFIGURATION');

/**
 * Returns the migrations of this build that create the same tables as the applied migrations.
 * @throws Unavailable if a newer release, or an extension that is not loaded, has applied migrations
 */
export function knownMigrations(applied: readonly string[], known: readonly Migration[]): Migration[] {
  const names = withBaseline(applied);
  const missing = names.filter((name) => !known.some((migration) => migration.name === name));
  const ofExtensions = missing.filter((name) => name.startsWith('ext_'));
  if (ofExtensions.length > 0)
    throw new Unavailable(
      `The data has tables of an extension that is not loaded. Name it in EXTENSIONS; its migrations are: ${ofExtensions.join(', ')}.`,
    );
  if (missing.length > 0) {
    throw new Unavailable(
      `The data comes from a newer release. This release lacks its migrations: ${missing.join(', ')}.`,
    );
  }
  return known.filter(({ name }) => names.includes(name));
}

const hasTable = async ({ query }: CopyConnection, name?: string): Promise<boolean> => {
  const text = `SELECT FROM pg_class WHERE relkind = 'r' AND relnamespace = ${ownSchema} LIMIT 1`;
  const named = text.replace('LIMIT', 'AND relname = $1 LIMIT');
  return (
    (await query(composed(name === undefined ? text : named), name === undefined ? [] : [name])).length > 0
  );
};

const appliedQuery = composed(
  `
  SELECT migration_name AS name FROM ${identifier(recordName)}
  WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`,
  { name: 'text' },
);

export async function appliedNames({ query }: CopyConnection): Promise<string[]> {
  return (await query(appliedQuery, [])).map(({ name }) => name);
}

export const hasRecord = (client: CopyConnection): Promise<boolean> => hasTable(client, recordName);

async function requireEmpty(client: CopyConnection, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const rows = await client.query(composed(`SELECT FROM ${identifier(table)} LIMIT 1`), []);
    if (rows.length > 0) throw new Conflict(`The database is not empty: its table ${table} has rows.`);
  }
}

/**
 * Drops Quire's tables, functions and text search configurations.
 * @param isReplaced whether to drop tables even if they contain rows
 * @throws Conflict if there are rows and `isReplaced` is false; Unavailable if all existing tables belong to other
 * programs
 */
export async function dropOwnTables(
  client: CopyConnection,
  migrations: readonly Migration[],
  isReplaced: boolean,
): Promise<void> {
  if (!(await hasRecord(client))) {
    if (await hasTable(client))
      throw new Unavailable('The database is not empty, and its tables do not belong to Quire.');
    return;
  }
  knownMigrations(await appliedNames(client), migrations);
  const tables = [...(await columnsOf(client, tablesMadeBy(migrations))).keys()];
  if (!isReplaced) await requireEmpty(client, tables);
  const dropped = [recordName, ...tables].map(identifier).join(', ');
  await client.query(composed(`DROP TABLE ${dropped} CASCADE`), []);
  for (const name of functionsMadeBy(migrations)) {
    await client.query(composed(`DROP FUNCTION IF EXISTS ${identifier(name)} CASCADE`), []);
  }
  for (const name of configurationsMadeBy(migrations)) {
    await client.query(composed(`DROP TEXT SEARCH CONFIGURATION IF EXISTS ${identifier(name)}`), []);
  }
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Runs several statements, separated by semicolons, over a protocol that accepts only one statement at a time. */
export const runScript = async ({ query }: CopyConnection, sql: string): Promise<void> =>
  void (await query(composed(`DO ${literal(`BEGIN EXECUTE ${literal(sql)}; END`)}`), []));
