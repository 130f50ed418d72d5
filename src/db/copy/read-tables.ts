import { Unavailable } from '../../errors.ts';
import type { Columns, RowWith } from '../columns.ts';
import { readMigrations } from '../migration-files.ts';
import { composed } from '../statement.ts';
import { appliedNames, hasRecord, knownMigrations, recordName, tablesMadeBy } from './own-tables.ts';
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

// The limits of a batch. Rows larger than `bytesOfRow` are read one at a time, so a batch of several rows never exceeds
// `rows * bytesOfRow` bytes.
const batch = { rows: 500, bytesOfRow: 16_384 };

/** Reads the rows of a statement in batches through a cursor, so that all batches come from the same snapshot. */
export async function* readByCursor<const Declared extends Columns>(
  { query }: CopyConnection,
  text: string,
  columns: Declared,
  count = batch.rows,
  values: readonly unknown[] = [],
): AsyncGenerator<Array<RowWith<Declared>>> {
  await query(composed(`DECLARE copied NO SCROLL CURSOR FOR ${text}`), values);
  for (;;) {
    const rows = await query(composed(`FETCH ${count} FROM copied`, columns), []);
    if (rows.length > 0) yield rows;
    if (rows.length < count) break;
  }
  await query(composed('CLOSE copied'), []);
}

/**
 * The query for a table's rows as JSON lines, each with its physical row address (ctid). All values are cast to text,
 * so that a JSON null differs from NULL.
 */
const linesQuery = (table: string, columns: readonly TableColumn[]): string => {
  const values = columns.map(({ name }) => `t.${identifier(name)}::text AS ${identifier(name)}`).join(', ');
  return `SELECT row_to_json(x)::text AS line, t.ctid AS place FROM ${identifier(table)} t, LATERAL (SELECT ${values}) x`;
};

async function* readTable(
  client: CopyConnection,
  table: string,
  columns: readonly TableColumn[],
): AsyncGenerator<RowBatch> {
  const lines = linesQuery(table, columns);
  const text = `
    SELECT CASE WHEN octet_length(line) <= ${batch.bytesOfRow} THEN line END AS line, place::text
    FROM (${lines} OFFSET 0) l`;
  const longRow = composed(`SELECT line FROM (${lines} WHERE t.ctid = $1::text::tid) l`, {
    line: 'text',
  });
  for await (const rows of readByCursor(client, text, { line: 'text?', place: 'text' })) {
    yield { table, lines: rows.flatMap(({ line }) => line ?? []) };
    for (const { line, place } of rows) {
      if (line !== null) continue;
      const found = await client.query(longRow, [place]);
      yield { table, lines: found.map((row) => row.line) };
    }
  }
}

const countOf = async ({ query }: CopyConnection, table: string): Promise<number> => {
  const rows = await query(
    composed(`SELECT count(*)::text AS count FROM ${identifier(table)}`, { count: 'text' }),
    [],
  );
  return Number(rows[0]?.count);
};

const sequencesQuery = composed(
  `
  SELECT s.relname AS name FROM pg_class s
  JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = s.oid AND d.deptype IN ('a', 'i')
  JOIN pg_class c ON d.refclassid = 'pg_class'::regclass AND c.oid = d.refobjid
  WHERE s.relkind = 'S' AND c.relnamespace = ${ownSchema} AND c.relname = ANY($1::text[])
  ORDER BY s.relname`,
  { name: 'name' },
);

async function readSequences({ query }: CopyConnection, tables: readonly string[]) {
  const sequences: Array<TableContents['sequences'][number]> = [];
  for (const { name } of await query(sequencesQuery, [tables])) {
    const text = `SELECT last_value::text AS value, is_called AS "isCalled" FROM ${identifier(name)}`;
    const [state] = await query(composed(text, { value: 'text', isCalled: 'bool' }), []);
    if (state) sequences.push({ name, ...state });
  }
  return sequences;
}

/**
 * Reads all rows of Quire's tables from a snapshot taken at the start of the call, regardless of concurrent writes. The
 * transaction becomes read-only and must not have run a statement before. Memory use is bounded by the longest row.
 * @throws Unavailable if the database has no Quire tables, or if a newer release has migrated them
 */
export async function readTables(
  client: CopyConnection,
): Promise<{ readonly contents: TableContents; readonly batches: AsyncGenerator<RowBatch> }> {
  await client.query(composed('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY'), []);
  await setTextForms(client);
  if (!(await hasRecord(client)))
    throw new Unavailable('The database is empty, so there is nothing to copy.');
  const known = await readMigrations();
  const migrations = await appliedNames(client);
  knownMigrations(migrations, known);
  const columns = await columnsOf(client, [recordName, ...tablesMadeBy(known)]);
  const tables = [];
  for (const [name, list] of columns) {
    tables.push({ name, columns: list.map((column) => column.name), rows: await countOf(client, name) });
  }
  const sequences = await readSequences(client, [...columns.keys()]);
  async function* batches() {
    for (const [name, list] of columns) yield* readTable(client, name, list);
  }
  return { contents: { migrations, tables, sequences }, batches: batches() };
}
