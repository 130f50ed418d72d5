/** @group slow, long */
import { describe, expect, test } from '@jest/globals';
import { runScript } from '../../../src/db/copy/own-tables.ts';
import { readTables } from '../../../src/db/copy/read-tables.ts';
import type { RowBatch, TableContents } from '../../../src/db/copy/table-contents.ts';
import { writeTables } from '../../../src/db/copy/write-tables.ts';
import type { Database } from '../../../src/db/database.ts';
import { emptyDatabase, stockedDatabase } from '../../support/database.ts';
import { createDocument } from '../../support/documents.ts';
import { indexChanges } from '../../support/index-changes.ts';
import { startServer } from '../../support/server.ts';
import { formerDatabase } from '../former-database.ts';
import { allRows, fillTables, schemaOf } from './contents.ts';

type Transactions = Pick<Database, 'transaction'>;

interface Copied {
  readonly contents: TableContents;
  readonly batches: AsyncIterable<RowBatch>;
}

const reading = <T>(source: Transactions, work: (copied: Copied) => Promise<T>): Promise<T> =>
  source.transaction(60, async (client) => work(await readTables(client)));

const write = (target: Transactions, { contents, batches }: Copied, isReplaced = false) =>
  target.transaction(60, (client) => writeTables(client, contents, batches, isReplaced));

const copy = (source: Transactions, target: Transactions, isReplaced = false) =>
  reading(source, (copied) => write(target, copied, isReplaced));

const send = (database: Database, text: string) => database.query({ name: '', text }, []);

describe('writeTables', () => {
  test('copies every row of every table into another database and out of it', async () => {
    await using server = await startServer();
    await fillTables(server);
    const rows = await allRows(server.database);
    expect(Object.keys(rows).filter((table) => rows[table]?.length === 0)).toEqual(['search_change']);
    const schema = await schemaOf(server.database);
    await using other = await emptyDatabase();
    await copy(server.database, other.database);
    expect(await allRows(other.database)).toEqual(rows);
    await using target = await emptyDatabase();
    await copy(other.database, target.database);
    expect(await allRows(target.database)).toEqual(rows);
    expect(await schemaOf(target.database)).toEqual(schema);
  });

  test('reads a snapshot while other rows are written', async () => {
    await using server = await startServer();
    await createDocument(server, { name: 'before' });
    await using target = await emptyDatabase();
    await server.journal.flush();
    const before = await allRows(server.database);
    await reading(server.database, async (copied) => {
      await createDocument(server, { name: 'meanwhile' });
      await write(target.database, copied);
    });
    expect(await allRows(target.database)).toEqual(before);
  });

  test('creates the tables of Quire 0.1, fills them and migrates them', async () => {
    await using source = await formerDatabase();
    await using target = await emptyDatabase();
    await target.database.migrate();
    const schema = async () => (await schemaOf(target.database)).filter((line) => !/_seq \d+$/.test(line));
    const before = await schema();
    await copy(source.database, target.database);
    expect(await schema()).toEqual(before);
    const titles = "SELECT title FROM document WHERE name = 'report' ORDER BY 1";
    expect(await send(target.database, titles)).toEqual(await send(source.database, titles));
    expect(await target.database.migrate()).toEqual([]);
  });

  test('copies values whose text depends on settings', async () => {
    await using source = await emptyDatabase();
    await source.database.migrate();
    const properties = '{"a": 1.00, "b": 12345678901234567890.5, "c": null, "d": "\\u0001 \\\\u0000"}';
    for (const date of ['infinity', '-infinity', '0044-03-15 BC', '9999-12-31 23:59:59.999+14']) {
      await send(
        source.database,
        `INSERT INTO log_entry (repository, event_id, category, principal_name, event_date, extended)
         VALUES ('', '', '', '${date}', '${date}', '${properties}')`,
      );
    }
    await send(source.database, `INSERT INTO "user" VALUES ('x', NULL, 'null'), ('y', '', '""')`);
    await send(source.database, `INSERT INTO directory VALUES ('x', 9223372036854775807)`);
    await using target = await emptyDatabase();
    await copy(source.database, target.database);
    expect(await allRows(target.database)).toEqual(await allRows(source.database));
  });

  test('refuses a database with rows unless they are to be replaced', async () => {
    await using server = await startServer();
    await using target = await stockedDatabase();
    const before = await allRows(target.database);
    await expect(copy(server.database, target.database)).rejects.toThrow(
      /The database is not empty: its table \w+ has rows/,
    );
    expect(await allRows(target.database)).toEqual(before);
    await createDocument(server);
    await server.journal.flush();
    await indexChanges(server.database);
    await copy(server.database, target.database, true);
    expect(await allRows(target.database)).toEqual(await allRows(server.database));
  });

  test('refuses a database with only foreign tables, and keeps foreign tables next to its own', async () => {
    await using source = await stockedDatabase();
    await using target = await emptyDatabase();
    await send(target.database, 'CREATE TABLE other AS SELECT 1 AS one');
    await expect(copy(source.database, target.database)).rejects.toThrow(/its tables do not belong to Quire/);
    await send(target.database, 'DROP TABLE other');
    await target.database.migrate();
    await send(target.database, 'CREATE TABLE other AS SELECT 1 AS one');
    await copy(source.database, target.database);
    expect(await send(target.database, 'SELECT one FROM other')).toEqual([{ one: 1 }]);
  });

  test('refuses to read and to write the tables of a newer release', async () => {
    await using source = await stockedDatabase();
    await using target = await emptyDatabase();
    await reading(source.database, async ({ contents, batches }) => {
      const newer = { ...contents, migrations: [...contents.migrations, '3000_next'] };
      await expect(write(target.database, { contents: newer, batches })).rejects.toThrow(
        /newer release.*3000_next/,
      );
    });
    expect(await allRows(target.database)).toEqual({});
    const rename =
      "UPDATE _prisma_migrations SET migration_name = '3000_next' WHERE migration_name ~ '_baseline'";
    await target.database.migrate();
    await send(target.database, rename);
    await expect(copy(source.database, target.database)).rejects.toThrow(/newer release.*3000_next/);
    await send(source.database, rename);
    await expect(copy(source.database, target.database)).rejects.toThrow(/newer release.*3000_next/);
  });

  test('changes nothing when rows are missing or contradict each other', async () => {
    await using source = await stockedDatabase();
    await using target = await emptyDatabase();
    await target.database.migrate();
    const before = await allRows(target.database);
    const without = (isMissing: (batch: RowBatch) => boolean) =>
      reading(source.database, async ({ contents, batches }) => {
        async function* kept() {
          for await (const batch of batches) if (!isMissing(batch)) yield batch;
        }
        await write(target.database, { contents, batches: kept() });
      });
    await expect(without(({ table }) => table === 'document')).rejects.toThrow(
      /too few rows of the table document/,
    );
    await source.database.transaction(60, async ({ query }) => {
      await runScript(
        { query },
        'ALTER TABLE document DISABLE TRIGGER ALL; DELETE FROM document WHERE parent_id IS NULL',
      );
    });
    await expect(copy(source.database, target.database)).rejects.toThrow(/foreign key/);
    expect(await allRows(target.database)).toEqual(before);
  });

  test('refuses to read an empty database', async () => {
    await using source = await emptyDatabase();
    await using target = await emptyDatabase();
    await expect(copy(source.database, target.database)).rejects.toThrow(/The database is empty/);
  });
});
