import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Client, createDatabase, type Database } from '../../src/db/database.ts';
import { connectServer } from '../../src/db/postgres-server.ts';
import { stockedDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { openProxy, type SilentProxy } from './silent-proxy.ts';

const plain = (text: string) => ({ name: '', text });
const insert = plain('INSERT INTO "user" (id) VALUES ($1)');

let stocked: Database;
let proxy: SilentProxy;
/** A database whose transactions all use one connection. */
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

beforeEach(async () => {
  await database.transaction(300, ({ query }) => query(plain('SELECT 1'), [])); // has BEGIN prepared
});

const isThere = async (id: string): Promise<boolean> =>
  (await stocked.prisma.user.findMany({ where: { id } })).length === 1;

describe('A transaction on a connection that has just worked', () => {
  test('sends its BEGIN with its first statement', async () => {
    const before = proxy.packets();
    await database.transaction(300, async ({ query }) => {
      await query(insert, ['first']);
      await query(insert, ['second']);
    });
    expect(proxy.packets() - before).toBe(3);
    expect([await isThere('first'), await isThere('second')]).toEqual([true, true]);
  });

  test('sends nothing when it has no statements', async () => {
    const before = proxy.packets();
    expect(await database.transaction(300, async () => 'nothing')).toBe('nothing');
    expect(proxy.packets() - before).toBe(0);
  });

  test.each([
    ['SQL', async (db: Client) => db.query(insert, ['undone'])],
    ['Prisma', async (db) => db.prisma.user.create({ data: { id: 'undone' } })],
    [
      'SQL without parameters',
      async (db) => db.query(plain(`INSERT INTO "user" (id) VALUES ('undone')`), []),
    ],
  ] satisfies Array<[string, (db: Client) => Promise<unknown>]>)(
    'is rolled back with its first statement, of %s',
    async (_, write) => {
      const failing = database.transaction(300, async (db) => {
        await write(db);
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await isThere('undone')).toBe(false);
    },
  );

  test('is rolled back when its first statement fails, and the connection is used again', async () => {
    const failing = database.transaction(300, async ({ query }) => query(plain('SELECT 1 / $1::int'), [0]));
    await expect(failing).rejects.toThrow('division by zero');
    await database.transaction(300, async ({ query }) => {
      await query(insert, ['anew']);
      expect(await isThere('anew')).toBe(false);
    });
    expect(await isThere('anew')).toBe(true);
  });

  test('does not affect the next transaction when it fails before its first statement', async () => {
    const before = proxy.packets();
    await expect(database.transaction(300, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(proxy.packets() - before).toBe(0);
    await database.transaction(300, async ({ query }) => {
      await query(insert, ['later']);
      expect(await isThere('later')).toBe(false);
    });
  });

  test('sends nothing after a first statement that has failed', async () => {
    const failing = database.transaction(300, ({ query }) =>
      Promise.all([query(plain('SELECT 1 / $1::int'), [0]), query(insert, ['stray'])]),
    );
    const before = proxy.packets();
    await expect(failing).rejects.toThrow('division by zero');
    expect(proxy.packets() - before).toBe(2); // with ROLLBACK
    expect(await isThere('stray')).toBe(false);
  });

  test('sends BEGIN alone when its work pauses before the first statement', async () => {
    const before = proxy.packets();
    await database.transaction(300, async ({ query }) => {
      await wait(1_100);
      await query(insert, ['rested']);
    });
    expect(proxy.packets() - before).toBe(3);
  });

  test('can begin with statements inside the savepoint', async () => {
    await database.transaction(300, async ({ query, aside }) => {
      await aside?.((apart) => apart(insert, ['aside']));
      await query(insert, ['kept']);
    });
    expect([await isThere('aside'), await isThere('kept')]).toEqual([false, true]);
  });

  test('begins with its own time limit after one without', async () => {
    const limit = async (seconds: number) =>
      database.transaction(seconds, ({ query }) =>
        query(plain("SELECT current_setting('statement_timeout') AS value"), []),
      );
    expect(await limit(7)).toEqual([{ value: '7s' }]);
    expect(await limit(300)).toEqual([{ value: '5min' }]);
  });

  test.each([300, 7])(
    'sets its writer with the first statement, but not for the next transaction, with a limit of %i s',
    async (seconds) => {
      const read = plain("SELECT nullif(current_setting('quire.writer', true), '') AS writer");
      const writer = (user?: string) =>
        database.transaction(
          seconds,
          async ({ query }) => (await query<{ writer: string | null }>(read, []))[0]?.writer,
          user,
        );
      await writer('to be prepared');
      const before = proxy.packets();
      expect(await writer("o'hara")).toBe("o'hara");
      expect(proxy.packets() - before).toBe(seconds === 300 ? 2 : 3);
      expect(await writer()).toBe(null);
    },
  );

  test('sets a writer on a connection that has had none', async () => {
    const other = createDatabase(connectServer(proxy.url, 300, 1));
    await other.transaction(300, ({ query }) => query(plain('SELECT 1'), []));
    const read = plain("SELECT current_setting('quire.writer') AS writer");
    for (let nth = 0; nth < 2; nth += 1)
      expect(await other.transaction(300, ({ query }) => query(read, []), 'ann')).toEqual([
        { writer: 'ann' },
      ]);
    await other.close();
  });

  test('sends its announcements even without statements', async () => {
    let heard = 0;
    stocked.announcements.on('jobs', () => {
      heard += 1;
    });
    await until(() => heard > 0 && stocked.announcements.isConnected()); // it may have missed some before
    heard = 0;
    await database.transaction(300, ({ announce }) => announce('jobs'));
    await until(() => heard > 0);
    expect(heard).toBe(1);
  });
});
