import { typed } from '../columns.ts';
import type { Client } from '../database.ts';
import { composed } from '../statement.ts';

/** A connection that is in a transaction and that nothing else is using. */
export type CopyConnection = Pick<Client, 'query'>;

/** The header of a copy. It contains everything that is needed to create the same tables. */
export interface TableContents {
  /** The names of the migrations that created the tables. */
  readonly migrations: readonly string[];
  readonly tables: ReadonlyArray<{
    readonly name: string;
    readonly columns: readonly string[];
    readonly rows: number;
  }>;
  readonly sequences: ReadonlyArray<{
    readonly name: string;
    readonly value: string;
    readonly isCalled: boolean;
  }>;
}

/**
 * Rows of one table as JSON objects. Each value is null or a string with PostgreSQL's text representation of the value.
 */
export interface RowBatch {
  readonly table: string;
  readonly lines: readonly string[];
}

export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const ownSchema = '(SELECT oid FROM pg_namespace WHERE nspname = current_schema())';

/** Applies settings that make the text representation of values the same on every server. */
export async function setTextForms({ query }: CopyConnection): Promise<void> {
  const settings = {
    datestyle: 'ISO, YMD',
    intervalstyle: 'postgres',
    timezone: 'UTC',
    bytea_output: 'hex',
    extra_float_digits: '1',
    idle_in_transaction_session_timeout: '0', // the program that sends or receives the copy may be slow
  };
  for (const [name, value] of Object.entries(settings)) {
    await query(composed('SELECT set_config($1, $2, true)'), [name, value]);
  }
}

export interface TableColumn {
  readonly name: string;
  readonly type: string;
}

const columnsQuery = composed(
  `
  SELECT c.relname AS "table",
    json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) ORDER BY a.attnum)
      AS columns
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = ${ownSchema} AND c.relkind = 'r' AND c.relname = ANY($1::text[])
    AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  GROUP BY c.relname ORDER BY c.relname`,
  { table: 'name', columns: typed<TableColumn[]>('json') },
);

/** Reads the columns of the existing tables, except generated columns, because the database computes those itself. */
export async function columnsOf(
  { query }: CopyConnection,
  tables: readonly string[],
): Promise<ReadonlyMap<string, readonly TableColumn[]>> {
  const rows = await query(columnsQuery, [tables]);
  return new Map(rows.map(({ table, columns }) => [table, columns]));
}
