/** @group every-database */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { statements } from '../../src/db/statement.ts';
import { stockedDatabase, type TestDatabase } from '../support/database.ts';
import { columnDifferences, describeStatement } from '../support/statement-columns.ts';

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

test('Each statement returns the columns that it declares, with their types', async () => {
  const faults: string[] = [];
  for (const { name, text, columns } of statements.values()) {
    const fields = await describeStatement(client, text).catch((error: Error) => {
      faults.push(`${name}: ${error.message}`);
      return undefined;
    });
    if (fields && columns)
      faults.push(...columnDifferences(columns, fields).map((fault) => `${name}: ${fault}`));
  }
  expect(faults).toEqual([]);
  expect(statements.size).toBeGreaterThan(200);
});
