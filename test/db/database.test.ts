/** @group every-database */

import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Database } from '../../src/db/database.ts';
import { Conflict, TimedOut } from '../../src/errors.ts';
import { stockedDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

let database: Database;
beforeAll(async () => {
  ({ database } = await stockedDatabase());
});
afterAll(() => database.close());

test('arrays of long texts arrive unchanged', async () => {
  const texts = ['"\\'.repeat(60_000), '', 'NULL', '{é,\u{1F600}}\n', '\\'];
  const query = { name: 'long-texts', text: 'SELECT $1::text[] AS texts, $2::text[] AS others' };
  const others = [null, ...texts];
  expect(await database.query(query, [texts, others])).toEqual([{ texts, others }]);
  await expect(database.query(query, [['a\0b', ...texts], []])).rejects.toThrow();
});

const names = async (prefix: string): Promise<string[]> => {
  const users = await database.prisma.user.findMany({ where: { id: { startsWith: prefix } } });
  return users.map(({ id }) => id);
};

describe('A transaction', () => {
  test('commits its rows and returns the result of its work', async () => {
    const answer = await database.transaction(10, async ({ prisma }) => {
      await prisma.user.create({ data: { id: 'kept' } });
      return 'done';
    });
    expect(answer).toBe('done');
    expect(await names('kept')).toEqual(['kept']);
  });

  test('rows written by Prisma are visible to its SQL queries', async () => {
    await database.transaction(10, async ({ prisma, query }) => {
      await prisma.user.create({ data: { id: 'seen' } });
      const text = 'SELECT id FROM "user" WHERE id = $1';
      expect(await query({ name: 'test-seen', text }, ['seen'])).toEqual([{ id: 'seen' }]);
    });
  });

  test('is rolled back when its work throws, and rejects with the same error', async () => {
    const error = new Conflict('no');
    const failing = database.transaction(10, async ({ prisma }) => {
      await prisma.user.create({ data: { id: 'thrown' } });
      throw error;
    });
    await expect(failing).rejects.toBe(error);
    expect(await names('thrown')).toEqual([]);
  });

  test('is rolled back when a statement fails', async () => {
    const failing = database.transaction(10, async ({ prisma }) => {
      await prisma.user.create({ data: { id: 'twice' } });
      await prisma.user.create({ data: { id: 'twice' } });
    });
    await expect(failing).rejects.toThrow();
    expect(await names('twice')).toEqual([]);
  });

  test('is rolled back at its time limit and throws TimedOut', async () => {
    const start = performance.now();
    const slow = database.transaction(0.3, async ({ prisma }) => {
      await prisma.user.create({ data: { id: 'slow' } });
      await setTimeout(30_000, undefined, { ref: false });
    });
    await expect(slow).rejects.toThrow(TimedOut);
    expect(performance.now() - start).toBeLessThan(15_000);
    expect(await names('slow')).toEqual([]);
  });

  test('can no longer write after it timed out', async () => {
    let late: Promise<unknown> | undefined;
    let isOver = false;
    const slow = database.transaction(1, async ({ prisma }) => {
      await until(() => isOver);
      late = prisma.user.create({ data: { id: 'late' } });
      await late;
    });
    await expect(slow).rejects.toThrow('took longer than 1 s');
    isOver = true;
    await until(() => late !== undefined);
    await expect(late).rejects.toThrow();
    expect(await names('late')).toEqual([]);
  });

  test('can no longer write after it failed, while others use its connection', async () => {
    const late: Array<Promise<unknown>> = [];
    let isOver = false;
    const failing = database.transaction(10, async ({ prisma, query }) => {
      await prisma.user.create({ data: { id: 'stray-0' } });
      const write = async (id: string) => {
        await until(() => isOver);
        return query({ name: '', text: 'INSERT INTO "user" (id) VALUES ($1)' }, [id]);
      };
      const writeByPrisma = async () => {
        await until(() => isOver);
        return prisma.user.create({ data: { id: 'stray-1' } });
      };
      late.push(write('stray-2'), writeByPrisma());
      await Promise.all([...late, Promise.reject(new Conflict('no'))]);
    });
    await expect(failing).rejects.toThrow('no');
    await database.transaction(10, async ({ query }) => {
      isOver = true;
      for (const { status } of await Promise.allSettled(late)) expect(status).toBe('rejected');
      await query({ name: '', text: 'SELECT 1' }, []);
    });
    expect(await names('stray')).toEqual([]);
  });

  test('undoes what statements inside the savepoint wrote, and runs no others between them', async () => {
    const [insert, count] = [
      'INSERT INTO "user" (id) VALUES ($1)',
      'SELECT count(*)::int AS count FROM "user" WHERE id = $1',
    ];
    await database.transaction(10, async ({ query, aside }) => {
      const found = aside?.(async (apart) => {
        await apart({ name: '', text: insert }, ['aside']);
        return apart({ name: '', text: count }, ['aside']);
      });
      const beside = query({ name: '', text: insert }, ['beside']);
      expect(await found).toEqual([{ count: 1 }]);
      await beside;
      expect(await query({ name: '', text: count }, ['aside'])).toEqual([{ count: 0 }]);
    });
    expect(await names('beside')).toEqual(['beside']);
  });

  test('goes on after a statement aside has failed', async () => {
    await database.transaction(10, async ({ query, aside }) => {
      await expect(aside?.((apart) => apart({ name: '', text: 'SELECT 1 / 0' }, []))).rejects.toThrow('zero');
      expect(await query({ name: '', text: 'SELECT 1 AS one' }, [])).toEqual([{ one: 1 }]);
    });
  });

  test.each(['40P01', '40001', '23505', 'P2002'])(
    'is run again from its start after a conflict (%s)',
    async (code) => {
      let trials = 0;
      await database.transaction(10, async ({ prisma }) => {
        trials += 1;
        await prisma.user.create({ data: { id: `again-${code}-${trials}` } });
        if (trials < 3) throw Object.assign(new Error('as the database says'), { code });
      });
      expect(await names(`again-${code}`)).toEqual([`again-${code}-3`]);
    },
  );

  test('fails after several conflicts in a row', async () => {
    const error = Object.assign(new Error('deadlock detected'), { code: '40P01' });
    let trials = 0;
    const failing = database.transaction(10, () => {
      trials += 1;
      return Promise.reject(error);
    });
    await expect(failing).rejects.toBe(error);
    expect(trials).toBeGreaterThan(1);
    expect(trials).toBeLessThan(10);
  });

  test('has one time limit for all its runs', async () => {
    const now = performance.now.bind(performance);
    const clock = jest.spyOn(performance, 'now');
    let trials = 0;
    const failing = database.transaction(60, async () => {
      trials += 1;
      if (trials > 1) return setTimeout(30_000, undefined, { ref: false });
      clock.mockImplementation(() => now() + 59_000); // of its 60 s, the first run leaves one
      throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
    });
    await expect(failing)
      .rejects.toThrow('took longer than 60 s')
      .finally(() => clock.mockRestore());
    expect(trials).toBe(2);
  });

  test('is not run again when its work throws an error of the application', async () => {
    let trials = 0;
    const failing = database.transaction(10, async () => {
      trials += 1;
      throw new Conflict('taken');
    });
    await expect(failing).rejects.toThrow('taken');
    expect(trials).toBe(1);
  });

  test('holds neither a connection nor a lock while work is done outside of it', async () => {
    let runs = 0;
    const found: unknown[] = [];
    const answer = await database.transaction(10, async ({ prisma, outside }) => {
      runs += 1;
      await prisma.user.upsert({ where: { id: 'outside' }, create: { id: 'outside' }, update: {} });
      return outside('one', async () => {
        const text = `SELECT count(*)::int AS open FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL`;
        found.push(await database.query({ name: '', text }, []), await names('outside'));
        return 'made';
      });
    });
    expect([answer, runs, found]).toEqual(['made', 2, [[{ open: 0 }], []]]);
    expect(await names('outside')).toEqual(['outside']);
  });

  test('fails with the error of the work outside of it, where that is asked for', async () => {
    const error = new Conflict('no');
    const caught: unknown[] = [];
    const failing = database.transaction(10, async ({ prisma, outside }) => {
      await prisma.user.create({ data: { id: 'inside' } });
      await outside('one', () => Promise.reject(error)).catch((cause) => {
        caught.push(cause);
        throw cause;
      });
    });
    await expect(failing).rejects.toBe(error);
    expect(caught.at(-1)).toBe(error);
    expect(await names('inside')).toEqual([]);
  });

  test('is run again ten times at most for work outside of it, and does the rest within', async () => {
    let runs = 0;
    let works = 0;
    const numbers = Array.from({ length: 15 }, (_, number) => number);
    const answers = await database.transaction(10, async ({ outside }) => {
      runs += 1;
      const made: number[] = [];
      for (const number of numbers)
        made.push(
          await outside(`number ${number}`, async () => {
            works += 1;
            return number;
          }),
        );
      return made;
    });
    expect([answers, runs, works]).toEqual([numbers, 11, 15]);
  });

  test('has one time limit for itself and the work outside of it', async () => {
    const slow = database.transaction(0.2, ({ outside }) => outside('slow', () => setTimeout(300, 'late')));
    await expect(slow).rejects.toBeInstanceOf(TimedOut);
  });

  test('is not needed for such work', async () => {
    expect(await database.outside('one', async () => 'made')).toBe('made');
  });

  test('frees its connection after it timed out', async () => {
    await expect(database.transaction(0.1, () => setTimeout(400))).rejects.toThrow(TimedOut);
    expect(await database.transaction(10, async () => 'next')).toBe('next');
  });
});

describe('A transaction on a server', () => {
  test('cancels the current statement at its time limit', async () => {
    const start = performance.now();
    const slow = database.transaction(0.3, ({ prisma }) => prisma.$executeRawUnsafe('SELECT pg_sleep(25)'));
    await expect(slow).rejects.toThrow();
    expect(performance.now() - start).toBeLessThan(15_000);
  });

  test('two transactions in a deadlock both succeed in the end', async () => {
    await database.prisma.user.createMany({ data: [{ id: 'lock-a' }, { id: 'lock-b' }] });
    const swap = (first: string, second: string) =>
      database.transaction(10, async ({ prisma }) => {
        await prisma.user.update({ where: { id: first }, data: { passwordHash: first } });
        await setTimeout(200);
        await prisma.user.update({ where: { id: second }, data: { passwordHash: first } });
      });
    await Promise.all([swap('lock-a', 'lock-b'), swap('lock-b', 'lock-a')]);
    const rows = await database.prisma.user.findMany({ where: { id: { in: ['lock-a', 'lock-b'] } } });
    expect(new Set(rows.map(({ passwordHash }) => passwordHash)).size).toBe(1);
  });

  test('sets its time limit for itself only', async () => {
    const limit = async (seconds: number) =>
      database.transaction(seconds, async ({ prisma }) => {
        const [row] = await prisma.$queryRawUnsafe<Array<{ value: string }>>(
          "SELECT current_setting('statement_timeout') AS value",
        );
        return row?.value;
      });
    expect(await limit(7)).toBe('7s');
    expect(await limit(300)).toBe('5min');
  });
});
