import pg from 'pg';
import { hasRecord } from '../db/copy/own-tables.ts';
import { readTables } from '../db/copy/read-tables.ts';
import type { CopyConnection } from '../db/copy/table-contents.ts';
import { writeTables } from '../db/copy/write-tables.ts';
import { composed } from '../db/statement.ts';

async function within<T>(url: string, work: (connection: CopyConnection) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {}); // the next statement fails
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

/** Copies all rows of one database into another, empty one, and migrates that. */
export const carryOver = (from: string, to: string): Promise<void> =>
  within(from, async (source) => {
    if (!(await hasRecord(source))) return; // its first start did not come to its tables
    // The transaction has run a statement already, after which its isolation cannot change.
    await source.query(composed('COMMIT'), []);
    await source.query(composed('BEGIN'), []);
    const { contents, batches } = await readTables(source);
    await within(to, (target) => writeTables(target, contents, batches));
  });
