/** @group every-database */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDatabase, type Database } from '../../src/db/database.ts';
import { connectServer } from '../../src/db/postgres-server.ts';
import { createTopicCache } from '../../src/db/topic-cache.ts';
import { stockedDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

let first: TestDatabase;
let second: Database | undefined;
beforeAll(async () => {
  first = await stockedDatabase();
  if (first.url) second = createDatabase(connectServer(first.url, 60));
});
afterAll(async () => {
  await second?.close();
  await first.database.close();
});

/** Returns a function that tells how many announcements arrived so far. */
function counting(database: Database): () => number {
  let count = 0;
  database.announcements.on('principals', () => {
    count += 1;
  });
  return () => count;
}

describe('An announcement', () => {
  test('outside of a transaction is delivered immediately', async () => {
    const told = counting(first.database);
    await until(() => first.database.announcements.isConnected());
    const before = told();
    await first.database.announce('principals');
    expect(told()).toBe(before + 1);
  });

  test('in a transaction is delivered once, on commit', async () => {
    const told = counting(first.database);
    await first.database.transaction(10, async ({ announce }) => {
      await announce('principals');
      await announce('principals');
      expect(told()).toBe(0);
    });
    expect(told()).toBe(1);
  });

  test('a transaction without announcements notifies no listener', async () => {
    const told = counting(first.database);
    await first.database.transaction(10, ({ prisma }) => prisma.user.create({ data: { id: 'quiet' } }));
    expect(told()).toBe(0);
  });

  test('is not delivered to a removed listener', async () => {
    let count = 0;
    const stop = first.database.announcements.on('principals', () => {
      count += 1;
    });
    stop();
    await first.database.announce('principals');
    expect(count).toBe(0);
  });
});

const value = (text: string) => async () => ({ text });
const limits = { size: 10, lifetime: 60_000 };

describe('A topic cache', () => {
  const remembering = async () => {
    const memory = createTopicCache<{ text: string }>(first.database, 'principals', limits);
    await until(() => first.database.announcements.isConnected());
    return memory;
  };

  test('reads a value once, until a change of the topic is announced', async () => {
    const { find } = await remembering();
    expect(await find('key', value('one'))).toEqual({ text: 'one' });
    expect(await find('key', value('two'))).toEqual({ text: 'one' });
    expect(await find('other', value('three'))).toEqual({ text: 'three' });
    await first.database.announce('principals');
    expect(await find('key', value('four'))).toEqual({ text: 'four' });
  });

  test('does not cache a value that was read while the topic changed', async () => {
    const { find } = await remembering();
    const found = find('key', async () => {
      await first.database.announce('principals');
      return { text: 'old' };
    });
    expect(await found).toEqual({ text: 'old' });
    expect(await find('key', value('new'))).toEqual({ text: 'new' });
  });

  test('does not cache undefined', async () => {
    const { find } = await remembering();
    expect(await find('key', async () => undefined)).toBeUndefined();
    expect(await find('key', value('some'))).toEqual({ text: 'some' });
  });

  test('does not cache a failed read', async () => {
    const { find } = await remembering();
    const failing = find('key', () => Promise.reject(new Error('away')));
    await expect(failing).rejects.toThrow('away');
    expect(await find('key', value('some'))).toEqual({ text: 'some' });
  });
});

describe('Several processes on one server', () => {
  const other = () => second as Database;

  test('a transaction of one notifies the other', async () => {
    const told = counting(other());
    await until(() => other().announcements.isConnected());
    const before = told();
    await first.database.transaction(10, ({ announce }) => announce('principals'));
    await until(() => told() === before + 1, 5_000);
  });

  test('an announcement outside of a transaction reaches the other', async () => {
    const told = counting(other());
    await until(() => other().announcements.isConnected());
    const before = told();
    await first.database.announce('principals');
    await until(() => told() === before + 1, 5_000);
  });

  test('every announcement from before a call of arrived() has been handled when it resolves', async () => {
    const details: Array<string | undefined> = [];
    const stop = other().announcements.on('positions', (detail) => void details.push(detail));
    await until(() => other().announcements.isConnected());
    for (let number = 1; number <= 50; number += 1) {
      await first.database.announcements.tellOthers('positions', `${number}`);
      expect(await other().announcements.arrived()).toBe(true);
      expect(details.at(-1)).toBe(`${number}`);
    }
    stop();
  });

  test('an announcement in a transaction that is rolled back is not delivered', async () => {
    const [told, mine] = [counting(other()), counting(first.database)];
    await until(() => other().announcements.isConnected());
    const before = told();
    const failing = first.database.transaction(10, async ({ announce }) => {
      await announce('principals');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await first.database.announce('principals');
    await until(() => told() > before, 5_000);
    expect(told()).toBe(before + 1);
    expect(mine()).toBeGreaterThanOrEqual(1);
  });

  test('a disconnected process caches nothing, and clears its cache when it is connected again', async () => {
    const { find } = createTopicCache<{ text: string }>(other(), 'principals', limits);
    const told = counting(other());
    await until(() => other().announcements.isConnected());
    expect(await find('key', value('before'))).toEqual({ text: 'before' });
    const before = told();
    await first.database.prisma.$queryRawUnsafe(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE 'quire announcements%'`,
    );
    await until(() => !other().announcements.isConnected(), 5_000);
    expect(await other().announcements.arrived()).toBe(false);
    expect(await find('key', value('meanwhile'))).toEqual({ text: 'meanwhile' });
    expect(await find('key', value('still'))).toEqual({ text: 'still' });
    await until(() => other().announcements.isConnected(), 5000);
    expect(told()).toBeGreaterThan(before);
    expect(await find('key', value('after'))).toEqual({ text: 'after' });
    expect(await find('key', value('later'))).toEqual({ text: 'after' });
  });
});
