import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database, Session } from '../../src/db/database.ts';
import { type Meter, newMeter } from '../../src/db/meter.ts';
import { Conflict, TimedOut } from '../../src/errors.ts';
import { emptyDatabase, isOnServer, stockedDatabase } from '../support/database.ts';

let database: Database;
beforeAll(async () => {
  database = (await stockedDatabase()).database;
});
afterAll(() => database.close());

const names = async (prefix: string): Promise<string[]> => {
  const users = await database.prisma.user.findMany({ where: { id: { startsWith: prefix } } });
  return users.map(({ id }) => id);
};

describe('The migrations', () => {
  test('make exactly the tables of schema.prisma', async () => {
    expect(await database.drift()).not.toMatch(/\b(CREATE|ALTER|DROP)\b/);
  });

  test('are named once, when they are applied', async () => {
    const { database: empty } = await emptyDatabase();
    try {
      expect(await empty.drift()).toMatch(/CREATE TABLE "document"/);
      const names = await empty.migrate();
      expect(names[0]).toMatch(/^\d{14}_initial$/);
      expect(names).toEqual([...names].sort());
      expect(await empty.migrate()).toEqual([]);
      expect(await empty.drift()).not.toMatch(/\b(CREATE|ALTER|DROP)\b/);
    } finally {
      await empty.close();
    }
  });

  test('that cannot be applied are told of, and leave what is there', async () => {
    const { database: foreign } = await emptyDatabase();
    try {
      await foreign.prisma.$executeRawUnsafe('CREATE TABLE document (x integer)');
      await expect(foreign.migrate()).rejects.toThrow(/not empty/);
      await foreign.prisma.$executeRawUnsafe('INSERT INTO document VALUES (1)');
    } finally {
      await foreign.close();
    }
  });

  test('that are missed show as drift', async () => {
    const { database: older } = await emptyDatabase();
    try {
      await older.migrate();
      await older.prisma.$executeRawUnsafe('ALTER TABLE document DROP COLUMN state');
      expect(await older.drift()).toMatch(/ADD COLUMN\s+"state"/);
    } finally {
      await older.close();
    }
  });
});

describe('A transaction', () => {
  test('keeps what it wrote, and answers what the work answers', async () => {
    const answer = await database.transaction(10, async ({ prisma }) => {
      await prisma.user.create({ data: { id: 'kept' } });
      return 'done';
    });
    expect(answer).toBe('done');
    expect(await names('kept')).toEqual(['kept']);
  });

  test('sees what it wrote, by both ways of reading', async () => {
    await database.transaction(10, async ({ prisma, query }) => {
      await prisma.user.create({ data: { id: 'seen' } });
      const text = 'SELECT id FROM "user" WHERE id = $1';
      expect(await query({ name: 'test-seen', text }, ['seen'])).toEqual([{ id: 'seen' }]);
    });
  });

  test('is rolled back when the work throws, and throws the same', async () => {
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

  test('is rolled back when it lasts longer than it was given: TimedOut', async () => {
    const start = performance.now();
    const slow = database.transaction(0.3, async ({ prisma }) => {
      await prisma.user.create({ data: { id: 'slow' } });
      await setTimeout(30_000, undefined, { ref: false });
    });
    await expect(slow).rejects.toThrow(TimedOut);
    expect(performance.now() - start).toBeLessThan(15_000);
    expect(await names('slow')).toEqual([]);
  });

  test('that timed out can write no more', async () => {
    let late: Promise<unknown> | undefined;
    const slow = database.transaction(0.2, async ({ prisma }) => {
      await setTimeout(600);
      late = prisma.user.create({ data: { id: 'late' } });
      await late;
    });
    await expect(slow).rejects.toThrow('took longer than 0.2 s');
    await setTimeout(600);
    await expect(late).rejects.toThrow();
    expect(await names('late')).toEqual([]);
  });

  test.each(['40P01', '40001', '23505', 'P2002'])(
    'that met another one (%s) is run again from its start',
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

  test('that meets another one every time fails in the end', async () => {
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

  test('is given no more time when it is run again', async () => {
    const failing = database.transaction(0.4, async () => {
      await setTimeout(250);
      throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
    });
    await expect(failing).rejects.toThrow('took longer than 0.4 s');
  });

  test('whose work refuses is not run again', async () => {
    let trials = 0;
    const failing = database.transaction(10, async () => {
      trials += 1;
      throw new Conflict('taken');
    });
    await expect(failing).rejects.toThrow('taken');
    expect(trials).toBe(1);
  });

  test('leaves the database free for the next one', async () => {
    await expect(database.transaction(0.1, () => setTimeout(400))).rejects.toThrow(TimedOut);
    expect(await database.transaction(10, async () => 'next')).toBe('next');
  });
});

(isOnServer ? describe : describe.skip)('A transaction on a server', () => {
  test('ends a statement that is under way when its time is over', async () => {
    const start = performance.now();
    const slow = database.transaction(0.3, ({ prisma }) => prisma.$executeRawUnsafe('SELECT pg_sleep(25)'));
    await expect(slow).rejects.toThrow();
    expect(performance.now() - start).toBeLessThan(15_000);
  });

  test('that is in a deadlock with another succeeds all the same', async () => {
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

  test('hands its own time limit to no other', async () => {
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

describe('The meter', () => {
  const metered = async (work: (session: Session) => Promise<unknown>): Promise<Meter> => {
    const meter = newMeter();
    await work(database.metered(meter));
    return meter;
  };
  const ping = { name: 'test-ping', text: 'SELECT 1' };

  test('counts every statement, by both ways of reading, and their time', async () => {
    const meter = await metered(async ({ prisma, query }) => {
      await query(ping, []);
      await prisma.user.findFirst();
      await prisma.user.count();
    });
    expect(meter.statements).toBe(3);
    expect(meter.milliseconds).toBeGreaterThan(0);
  });

  test('does not count what frames a transaction', async () => {
    const { statements } = await metered(({ transaction }) =>
      transaction(5, async ({ prisma, query }) => {
        await query(ping, []);
        await prisma.user.findFirst();
      }),
    );
    expect(statements).toBe(2);
  });

  test('does not count what frames one that is rolled back', async () => {
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

  test('counts each request by itself', async () => {
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

  test('is not needed', async () => {
    expect(await database.query(ping, [])).toHaveLength(1);
  });
});
