/** @group every-database */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { statements } from '../../src/db/statement.ts';
import { stockedDatabase, type TestDatabase } from '../support/database.ts';
import { expressible, sqlReason } from '../support/sql-reasons.ts';
import {
  columnDifferences,
  describeStatement,
  isNullable,
  modelColumns,
} from '../support/statement-columns.ts';

let stocked: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  for (const room of ['db', 'loaders', 'store']) {
    const folder = fileURLToPath(new URL(`../../src/${room}`, import.meta.url));
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    for (const file of files) if (file.endsWith('.ts')) await import(pathToFileURL(join(folder, file)).href);
  }
  stocked = await stockedDatabase();
  client = new pg.Client({ connectionString: stocked.url });
  await client.connect();
  // Tables that exist only while an index is built.
  await client.query('CREATE TABLE search_document_next (LIKE search_document INCLUDING ALL)');
  await client.query('CREATE TABLE search_sieve (LIKE search_document)');
});
afterAll(async () => {
  await client.end();
  await stocked.database.close();
});

/** A column of a table: its name, its type, and whether it can be NULL. */
interface TableColumn {
  readonly place: string;
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
}

const columnsOfTables = `
  SELECT a.attrelid || '.' || a.attnum AS place, c.relname || '.' || a.attname AS name,
    regexp_replace(t.typname, '^_(.*)', '\\1[]') AS type, NOT a.attnotnull AS "isNullable"
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_type t ON t.oid = a.atttypid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped`;

/** Prisma assumes that lists are never NULL, although their columns have no constraint. */
const isList = ({ type }: Pick<TableColumn, 'type'>): boolean => type.endsWith('[]');

/** Columns that can be NULL only in rows which the conditions of these statements leave out. */
const excludedByConditions = [
  'access-token: oauth2_token.user_id',
  'end-sessions-of-absent-providers: session.provider',
  'oldest-jobs-of-files: job.once',
  'replies-summaries: document.parent_id',
];

test('Each statement returns the columns that it declares, with their types', async () => {
  const { rows } = await client.query<TableColumn>(columnsOfTables);
  const origins = new Map(rows.map((column) => [column.place, column]));
  const faults: string[] = [];
  const nulls: string[] = [];
  for (const { name, text, columns } of statements.values()) {
    const fields = await describeStatement(client, text).catch((error: Error) => {
      faults.push(`${name}: ${error.message}`);
      return [];
    });
    if (!columns || fields.length === 0) continue;
    faults.push(...columnDifferences(columns, fields).map((fault) => `${name}: ${fault}`));
    for (const { name: field, tableID, columnID } of fields) {
      const origin = origins.get(`${tableID}.${columnID}`);
      const isNeverNull = Object.hasOwn(columns, field) && !isNullable(columns[field] ?? '');
      if (origin?.isNullable && isNeverNull && !isList(origin)) nulls.push(`${name}: ${origin.name}`);
    }
  }
  expect(faults).toEqual([]);
  expect(nulls.sort()).toEqual(excludedByConditions);
  expect(statements.size).toBeGreaterThan(200);
});

test('Columns of models have their types in the database', async () => {
  const { rows } = await client.query<TableColumn>(columnsOfTables);
  const inDatabase = new Map(
    rows.map((column) => [column.name, `${column.type}${column.isNullable && !isList(column) ? '?' : ''}`]),
  );
  const inSchema = [...modelColumns.values()].map(({ table, column, type }) => [`${table}.${column}`, type]);
  expect(inSchema.map(([name = '']) => [name, inDatabase.get(name)])).toEqual(inSchema);
});

test('Each statement does what Prisma Client cannot, or has another reason to be SQL', () => {
  const plain = [...statements.values()].filter(
    ({ name, text }) => sqlReason(text) === undefined && !statements.has(`${name}-recorded`),
  );
  expect(plain.map(({ name }) => name).sort()).toEqual(Object.keys(expressible).sort());
});
