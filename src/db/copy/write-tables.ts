import { Invalid } from '../../errors.ts';
import { isTransactionConflict } from '../errors.ts';
import { buildColumn, migrate, recordTable } from '../migrate.ts';
import { readMigrations } from '../migration-files.ts';
import { composed } from '../statement.ts';
import { dropOwnTables, knownMigrations, recordName, runScript, tablesMadeBy } from './own-tables.ts';
import {
  type CopyConnection,
  columnsOf,
  identifier,
  ownSchema,
  type RowBatch,
  setTextForms,
  type TableColumn,
  type TableContents,
} from './table-contents.ts';

// Lists pairs of statements that drop and recreate the tables' triggers, then the indexes that do not belong to a
// constraint, and finally the foreign keys. The `off` statements must run in this order, followed by the `on`
// statements.
const detachableQuery = composed(
  `
  SELECT "off", "on" FROM (
    SELECT 0 AS rank, t.oid, format('ALTER TABLE %I DISABLE TRIGGER %I', c.relname, t.tgname) AS "off",
      format('ALTER TABLE %I ENABLE TRIGGER %I', c.relname, t.tgname) AS "on"
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE NOT t.tgisinternal AND t.tgenabled <> 'D' AND c.relnamespace = ${ownSchema} AND c.relname = ANY($1::text[])
    UNION ALL
    SELECT 1, i.oid, format('DROP INDEX %I', i.relname), pg_get_indexdef(i.oid)
    FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class c ON c.oid = x.indrelid
    WHERE c.relnamespace = ${ownSchema} AND c.relname = ANY($1::text[])
      AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.oid)
    UNION ALL
    SELECT 2, k.oid, format('ALTER TABLE %I DROP CONSTRAINT %I', c.relname, k.conname),
      format('ALTER TABLE %I ADD CONSTRAINT %I %s', c.relname, k.conname, pg_get_constraintdef(k.oid))
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
    WHERE k.contype = 'f' AND c.relnamespace = ${ownSchema} AND c.relname = ANY($1::text[])
  ) d ORDER BY rank, oid`,
  { off: 'text', on: 'text' },
);

/**
 * Calls a function while the tables have no triggers, no foreign keys, and no indexes except their primary keys. Rows
 * can then be inserted in any order, and triggers do not recompute values that the rows already contain. Afterwards,
 * everything is recreated, which also checks the foreign keys.
 */
async function whileDetached(
  { query }: CopyConnection,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const detachable = await query(detachableQuery, [tables]);
  for (const { off } of detachable) await query(composed(off), []);
  await work();
  for (const { on } of detachable) await query(composed(on), []);
}

/**
 * The maximum number of characters in the rows that one statement inserts. A longer row is inserted by a separate
 * statement.
 */
const maxCharacters = 1_000_000;

const insertion = (table: string, columns: readonly TableColumn[]): string => {
  const names = columns.map(({ name }) => identifier(name));
  const values = columns.map(({ name, type }) => `x.${identifier(name)}::${type}`);
  return `
    INSERT INTO ${identifier(table)} (${names.join(', ')}) OVERRIDING SYSTEM VALUE
    SELECT ${values.join(', ')}
    FROM json_to_recordset($1::json) AS x (${names.map((name) => `${name} text`).join(', ')})`;
};

/** Merges short batches of the same table, and splits long ones. */
async function* regrouped(batches: AsyncIterable<RowBatch>): AsyncGenerator<RowBatch> {
  let pending: { table: string; lines: string[]; characters: number } | undefined;
  for await (const { table, lines } of batches) {
    for (const line of lines) {
      const isFull = pending && pending.characters + line.length > maxCharacters;
      if (pending && (isFull || pending.table !== table)) {
        yield pending;
        pending = undefined;
      }
      pending ??= { table, lines: [], characters: 0 };
      pending.lines.push(line);
      pending.characters += line.length;
    }
  }
  if (pending) yield pending;
}

/**
 * Returns the columns of each table in a copy.
 * @throws Invalid if the migrations do not create one of the columns
 */
function copiedColumns(
  { tables }: TableContents,
  made: ReadonlyMap<string, readonly TableColumn[]>,
): ReadonlyMap<string, readonly TableColumn[]> {
  const columnOf = (table: string, name: string): TableColumn => {
    const found = made.get(table)?.find((column) => column.name === name);
    if (!found)
      throw new Invalid(
        `The copy contains the column ${name} of the table ${table}, which no migration creates.`,
      );
    return found;
  };
  return new Map(tables.map(({ name, columns }) => [name, columns.map((column) => columnOf(name, column))]));
}

async function insertRows(
  client: CopyConnection,
  { tables }: TableContents,
  columns: ReadonlyMap<string, readonly TableColumn[]>,
  batches: AsyncIterable<RowBatch>,
): Promise<void> {
  const missing = new Map(tables.map(({ name, rows }) => [name, rows]));
  for await (const { table, lines } of regrouped(batches)) {
    const list = columns.get(table);
    if (!list) throw new Invalid(`The copy contains rows of the unknown table ${table}.`);
    await client.query(composed(insertion(table, list)), [`[${lines.join(',')}]`]);
    missing.set(table, (missing.get(table) ?? 0) - lines.length);
  }
  const [wrong] = [...missing].filter(([, count]) => count !== 0);
  if (wrong)
    throw new Invalid(`The copy has too ${wrong[1] > 0 ? 'few' : 'many'} rows of the table ${wrong[0]}.`);
}

/**
 * Creates the tables of a copy, fills them, and applies the migrations that the copy lacks, all in the connection's
 * transaction. Existing Quire tables are dropped first, because the tables in the copy can come from an older release.
 * The caller must hold the start-up lock, so that no other process can migrate the database at the same time.
 * @param isReplaced whether to drop tables even if they contain rows
 * @throws Conflict if there are rows and `isReplaced` is false; Unavailable if the tables belong to other programs or
 * the copy was made by a newer release; Invalid if the copy is malformed
 */
export async function writeTables(
  client: CopyConnection,
  contents: TableContents,
  batches: AsyncIterable<RowBatch>,
  isReplaced = false,
): Promise<void> {
  const known = await readMigrations();
  const applied = knownMigrations(contents.migrations, known);
  await setTextForms(client);
  await dropOwnTables(client, known, isReplaced);
  const scripts = [recordTable, buildColumn, ...applied.map(({ sql }) => sql)];
  for (const sql of scripts) await runScript(client, sql);
  const made = await columnsOf(client, [recordName, ...tablesMadeBy(applied)]);
  const columns = copiedColumns(contents, made);
  const tables = [...made.keys()];
  // Migrations may have inserted rows that the copy also contains.
  await client.query(composed(`TRUNCATE ${tables.map(identifier).join(', ')}`), []);
  try {
    await whileDetached(client, tables, () => insertRows(client, contents, columns, batches));
  } catch (error) {
    // A constraint violation must not be rethrown: it would cause the transaction to be retried, but the rows
    // of the copy have already been consumed.
    if (!isTransactionConflict(error)) throw error;
    throw new Invalid(`The rows of the copy violate a constraint: ${(error as Error).message}`, {
      cause: error,
    });
  }
  for (const { name, value, isCalled } of contents.sequences) {
    const text = 'SELECT setval($1::text::regclass, $2::text::bigint, $3::boolean)';
    await client.query(composed(text), [identifier(name), value, isCalled]);
  }
  await migrate({ query: client.query, script: (sql) => runScript(client, sql) }, known);
  for (const name of (await columnsOf(client, tablesMadeBy(known))).keys()) {
    await client.query(composed(`ANALYZE ${identifier(name)}`), []);
  }
}
