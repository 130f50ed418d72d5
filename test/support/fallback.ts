import { randomUUID } from 'node:crypto';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { freePort } from '../../src/embedded/free-port.ts';
import { pgliteFolder } from '../../src/embedded/pglite.ts';
import { servePglite } from '../../src/embedded/pglite-sessions.ts';
import { copyData } from './embedded.ts';
import { newFolder } from './folder.ts';

/**
 * Serves a copy of the fallback's data, which no process uses, from this process: its host would compile the
 * WebAssembly once for each.
 * @param sql is done first.
 */
export async function serveCopy(
  dataDir: string,
  sql = '',
): Promise<{ url: string; close: () => Promise<void> }> {
  const copy = newFolder();
  await copyData(dataDir, copy);
  const db = await PGlite.create({ dataDir: pgliteFolder(copy), extensions: { pg_trgm } });
  await db.exec(sql);
  const [port, password] = [await freePort(), randomUUID()];
  const sessions = await servePglite(db, { port, password });
  return {
    url: `postgres://quire:${password}@127.0.0.1:${port}/postgres`,
    close: async () => {
      await sessions.close();
      await db.close();
    },
  };
}
