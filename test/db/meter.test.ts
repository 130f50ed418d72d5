import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database, Session } from '../../src/db/database.ts';
import { type Meter, newMeter } from '../../src/db/meter.ts';
import { stockedDatabase } from '../support/database.ts';

let database: Database;
beforeAll(async () => {
  ({ database } = await stockedDatabase());
});
afterAll(() => database.close());

describe('The meter', () => {
  const metered = async (work: (session: Session) => Promise<unknown>): Promise<Meter> => {
    const meter = newMeter();
    await work(database.metered(meter));
    return meter;
  };
  const ping = { name: 'test-ping', text: 'SELECT 1' };

  test('counts the statements of Prisma and of SQL queries, and their time', async () => {
    const meter = await metered(async ({ prisma, query }) => {
      await query(ping, []);
      await prisma.user.findFirst();
      await prisma.user.count();
    });
    expect(meter.statements).toBe(3);
    expect(meter.milliseconds).toBeGreaterThan(0);
  });

  test('does not count BEGIN and COMMIT', async () => {
    const { statements } = await metered(({ transaction }) =>
      transaction(5, async ({ prisma, query }) => {
        await query(ping, []);
        await prisma.user.findFirst();
      }),
    );
    expect(statements).toBe(2);
  });

  test('does not count BEGIN and ROLLBACK', async () => {
    const { statements } = await metered(({ transaction }) =>
      transaction(5, async ({ query }) => {
        await query(ping, []);
        throw new Error('no');
      }).catch(() => {}),
    );
    expect(statements).toBe(1);
  });

  test('counts a statement that fails', async () => {
    const { statements } = await metered(({ query }) =>
      query({ name: 'test-broken', text: 'SELECT nothing' }, []).catch(() => {}),
    );
    expect(statements).toBe(1);
  });

  test('counts concurrent requests separately', async () => {
    const times = (count: number) =>
      metered(async ({ prisma, query }) => {
        for (let done = 0; done < count; done += 1) {
          await query(ping, []);
          await prisma.user.findFirst();
        }
      });
    const meters = await Promise.all([3, 1, 2].map(times));
    expect(meters.map(({ statements }) => statements)).toEqual([6, 2, 4]);
  });

  test('is optional', async () => {
    expect(await database.query(ping, [])).toHaveLength(1);
  });
});
