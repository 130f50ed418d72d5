import type { Client } from '../../../db/database.ts';
import { type Statement, statement } from '../../../db/statement.ts';
import { type DocumentRow, documentColumnDefinitions } from '../../../loaders/documents/document-row.ts';
import { columnOf } from '../column-sql.ts';

/** The columns in which new documents differ; the other columns get the defaults of the table. */
const fields = [
  ...(['repository', 'id', 'parentId', 'ancestorIds', 'name', 'path', 'type', 'facets', 'title'] as const),
  ...(['state', 'isTrashed', 'aclId', 'properties'] as const),
] satisfies readonly (keyof DocumentRow)[];

type NewRow = Pick<DocumentRow, (typeof fields)[number]>;

const columns = fields.map(columnOf).join(', ');
const definitions = fields.map((field) => `${columnOf(field)} ${documentColumnDefinitions[field].type}`);

const insertion = (name: string, rest = ''): Statement => statement(name)`
  INSERT INTO document (${columns})
  SELECT ${columns} FROM json_to_recordset($1::json) AS x (${definitions.join(', ')}) ${rest}`;

const all = insertion('insert-documents');
const free = insertion('insert-free-documents', 'ON CONFLICT DO NOTHING RETURNING id');

const json = (rows: readonly NewRow[]): string =>
  JSON.stringify(rows.map((row) => Object.fromEntries(fields.map((field) => [columnOf(field), row[field]]))));

/** Inserts the rows of new documents, without their blobs. Fails if a name is taken. */
export const insertRows = (db: Pick<Client, 'query'>, rows: readonly NewRow[]): Promise<unknown> =>
  db.query(all, [json(rows)]);

/**
 * Inserts the rows whose names are not taken.
 * @returns whether all of them were inserted
 */
export const insertFreeRows = async (db: Pick<Client, 'query'>, rows: readonly NewRow[]): Promise<boolean> =>
  (await db.query(free, [json(rows)])).length === rows.length;
