import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createDatabase, type Database } from '../../../src/db/database.ts';
import { connectServer } from '../../../src/db/postgres-server.ts';
import { stockModel } from '../../../src/model/contributed/contributed.ts';
import { tryLockSearchIndexes } from '../../../src/store/row-locks/advisory-locks.ts';
import { type IndexReport, startIndexing } from '../../../src/store/search/search-indexes.ts';
import { modelOf } from '../../model/model-of.ts';
import { stockedDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';

/** Brings the indexes of a model that asks for those of some properties. */
async function indexing(database: Pick<Database, 'apart'>, ...properties: string[]): Promise<IndexReport> {
  const reports: IndexReport[] = [];
  const faults: unknown[] = [];
  const model = modelOf({ ...stockModel, indexes: properties.map((property) => ({ property })) });
  await startIndexing(database, model, {
    onDone: (report) => reports.push(report),
    onError: (error) => faults.push(error),
  }).settled;
  expect(faults).toEqual([]);
  return reports[0] as IndexReport;
}

const send = (database: Database, text: string) =>
  database.query<Record<string, unknown>>({ name: '', text }, []);

const indexesIn = async (database: Database): Promise<unknown[]> => {
  const rows = await send(
    database,
    `SELECT relname AS name FROM pg_class WHERE relkind = 'i' AND relname LIKE 'search\\_value\\_%' ORDER BY relname`,
  );
  return rows.map(({ name }) => name);
};

test('indexes are created with a declaration, stay while it exists, and are dropped with it', async () => {
  await using tested = await stockedDatabase();
  const { database } = tested;
  const stock = await indexesIn(database);
  expect(stock).toHaveLength(1);
  const first = await indexing(database, 'dc:source', 'dc:expired');
  expect(first.made).toHaveLength(5); // two orders of each, and the trigrams of one
  expect(await indexesIn(database)).toEqual([...stock, ...first.made].sort());
  expect(await indexing(database, 'dc:expired', 'dc:source')).toEqual({ made: [], dropped: [], omitted: [] });
  const { dropped } = await indexing(database, 'dc:expired');
  expect(dropped).toHaveLength(3);
  expect(await indexesIn(database)).toHaveLength(stock.length + 2);
});

test('an index whose creation was interrupted is created again', async () => {
  await using tested = await stockedDatabase();
  const { database } = tested;
  const { made } = await indexing(database, 'dc:expired');
  const half = made[0] ?? '';
  await send(database, `UPDATE pg_index SET indisvalid = false WHERE indexrelid = '${half}'::regclass`);
  expect(await indexing(database, 'dc:expired')).toEqual({ made: [half], dropped: [half], omitted: [] });
});

test('one process at a time creates them: another one waits, and stopping it ends the wait', async () => {
  await using tested = await stockedDatabase();
  const { database } = tested;
  await database.apart(async (connection) => {
    expect(await tryLockSearchIndexes(connection)).toBe(true);
    let attempts = 0;
    const counted: Database['apart'] = (work, signal) =>
      database.apart(work, signal).finally(() => {
        attempts += 1;
      });
    const reports: unknown[] = [];
    const report = (one: unknown) => void reports.push(one);
    const model = modelOf({ ...stockModel, indexes: [{ property: 'dc:expired' }] });
    const waiting = startIndexing({ apart: counted }, model, { onDone: report, onError: report });
    await until(() => attempts === 1);
    await waiting.close();
    expect(reports).toEqual([]);
  });
  expect(await indexesIn(database)).toHaveLength(1);
});

test('without the permission to add pg_trgm, the other indexes are created', async () => {
  await using tested = await stockedDatabase();
  const { database, url } = tested;
  const role = `quire_test_${randomUUID().replaceAll('-', '')}`;
  await send(database, 'DROP EXTENSION pg_trgm CASCADE');
  await send(database, `CREATE ROLE ${role} LOGIN PASSWORD 'secret' IN ROLE pg_read_all_data`);
  await send(database, `GRANT CREATE ON SCHEMA public TO ${role}`);
  await send(database, `ALTER TABLE search_document OWNER TO ${role}`);
  const address = new URL(url);
  address.username = role;
  address.password = 'secret';
  const theirs = createDatabase(connectServer(address.href, 300, 1));
  const { made, omitted } = await indexing(theirs, 'dc:expired');
  await theirs.close();
  expect([made.length, omitted.length]).toEqual([2, 1]);
  await send(database, `REASSIGN OWNED BY ${role} TO CURRENT_USER`);
  await send(database, `DROP OWNED BY ${role}`);
  await send(database, `DROP ROLE ${role}`);
});
