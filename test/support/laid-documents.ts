import type { TestServer } from './server.ts';

/** Inserts many documents with one SQL statement, without the triggers that index each row. */
export async function layDocuments(
  { database, indexed }: Pick<TestServer, 'database' | 'indexed'>,
  insert: string,
): Promise<void> {
  const send = (text: string) => database.query({ name: '', text }, []);
  await indexed;
  await send('ALTER TABLE document DISABLE TRIGGER USER');
  await send(insert);
  await send('ALTER TABLE document ENABLE TRIGGER USER');
  await send('VACUUM ANALYZE document'); // Autovacuum would do the same after so many new rows.
}
