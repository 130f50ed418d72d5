import pg from 'pg';
import { hasRecord } from '../db/copy/own-tables.ts';
import { readTables } from '../db/copy/read-tables.ts';
import type { CopyConnection } from '../db/copy/table-contents.ts';
import { writeTables } from '../db/copy/write-tables.ts';
import { composed } from '../db/statement.ts';

/** Runs a function in a transaction on a new connection. */
async function within<T>(url: string, work: (connection: CopyConnection) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  // Without a listener, a lost connection would crash the process; with one, only the next statement fails.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('BEGIN');
    const result = await work({
      query: async <Row>({ text }: { readonly text: string }, values: readonly unknown[]) =>
        (await client.query(text, [...values])).rows as Row[],
    });
    await client.query('COMMIT');
    return result;
  } finally {
    await client.end();
  }
}

/** Copies all rows of a database into an empty one and migrates the copy. */
export const carryOver = (from: string, to: string): Promise<void> =>
  within(from, async (source) => {
    // Without such a record, the first start was interrupted before any tables were created, so there is nothing to
    // copy.
    if (!(await hasRecord(source))) return;
    // `readTables` sets the isolation level, which must be the first statement of a transaction.
    await source.query(composed('COMMIT'), []);
    await source.query(composed('BEGIN'), []);
    const { contents, batches } = await readTables(source);
    await within(to, (target) => writeTables(target, contents, batches));
  });
