import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDatabase, type Database } from '../../src/db/database.ts';
import { connectServer } from '../../src/db/postgres-server.ts';
import { stockedDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { openProxy, type SilentProxy } from './silent-proxy.ts';

let stocked: Database;
let proxy: SilentProxy;
let database: Database;
beforeAll(async () => {
  const { database: own, url } = await stockedDatabase();
  stocked = own;
  proxy = await openProxy(url);
  database = createDatabase(connectServer(proxy.url, 300, 1));
});
afterAll(async () => {
  await database.close();
  await proxy.close();
  await stocked.close();
});

const backend = { name: 'test-backend', text: 'SELECT pg_backend_pid() AS pid', isQuick: true } as const;
const pids = async (): Promise<number[]> => {
  const rows = await Promise.all(
    Array.from({ length: 20 }, () => database.query<{ pid: number }>(backend, [])),
  );
  return rows.flat().map(({ pid }) => pid);
};

describe('Quick statements', () => {
  test('of one turn of the event loop are sent in one packet', async () => {
    await pids(); // opens a connection
    await pids(); // opens the other one
    await pids(); // prepares the statement on both
    const before = proxy.packets();
    expect(new Set(await pids()).size).toBe(1);
    expect(proxy.packets() - before).toBe(1);
  });

  test('share two connections, on which each is prepared once', async () => {
    const turns = [await pids(), await pids(), await pids(), await pids()];
    const before = new Set(turns.flat());
    expect(before.size).toBe(2);
    expect(new Set([...(await pids()), ...(await pids())])).toEqual(before);
    const prepared = { text: `SELECT count(*)::int FROM pg_prepared_statements WHERE name = 'test-backend'` };
    expect(await database.query({ ...prepared, name: '', isQuick: true }, [])).toEqual([{ count: 1 }]);
  });

  test('do not wait for earlier answers', async () => {
    await pids(); // has both connections open
    const lock = { name: '', text: 'SELECT pg_advisory_xact_lock(4711)' };
    const quickLock = { ...lock, isQuick: true } as const;
    const before = proxy.packets();
    let waiting: Array<Promise<unknown>> = [];
    await stocked.transaction(60, async ({ query }) => {
      await query(lock, []);
      waiting = Array.from({ length: 6 }, () => database.query(quickLock, []));
      await until(() => proxy.packets() - before >= 1);
      const sent = { text: `SELECT count(*)::int AS locks FROM pg_locks WHERE objid = 4711 AND NOT granted` };
      expect(await query({ ...sent, name: '' }, [])).toEqual([{ locks: 1 }]);
      await database.query({ name: '', text: 'SELECT 1' }, []); // a connection of the pool is free
    });
    await Promise.all(waiting);
  });

  test('succeed after one that failed', async () => {
    const fail = { name: '', text: 'SELECT 1 / $1::int', isQuick: true } as const;
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => database.query(fail, [index % 3])),
    );
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual(
      Array.from({ length: 8 }, (_, index) => index % 3 > 0),
    );
  });
});
