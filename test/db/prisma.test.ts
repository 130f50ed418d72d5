import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Client, createDatabase, type Database } from '../../src/db/database.ts';
import { translateDatabaseError } from '../../src/db/errors.ts';
import { MemoryBudget, RowsTooLarge } from '../../src/db/memory-budget.ts';
import { type Meter, newMeter } from '../../src/db/meter.ts';
import { connectServer } from '../../src/db/postgres-server.ts';
import { stockedDatabase } from '../support/database.ts';
import { openProxy, type SilentProxy } from './silent-proxy.ts';

let stocked: Database;
let proxy: SilentProxy;
/** A database whose statements all use one connection. */
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

/** Calls that send one statement each. */
const single: ReadonlyArray<[string, (prisma: Client['prisma']) => Promise<unknown>]> = [
  ['findUnique', (prisma) => prisma.user.findUnique({ where: { id: 'Administrator' } })],
  ['findMany', (prisma) => prisma.user.findMany({ where: { id: { in: ['Administrator', 'nobody'] } } })],
  ['count', (prisma) => prisma.user.count()],
  ['createMany', (prisma) => prisma.user.createMany({ data: [{ id: 'Guest' }], skipDuplicates: true })],
  ['updateMany', (prisma) => prisma.user.updateMany({ where: { id: 'Guest' }, data: { language: 'fr' } })],
  ['deleteMany', (prisma) => prisma.user.deleteMany({ where: { id: 'Guest' } })],
  ['$queryRawUnsafe', (prisma) => prisma.$queryRawUnsafe('SELECT 1')],
];

/** A call that sends several statements, the second of which fails if the group does not exist. */
const createMember = ({ prisma }: Client, id: string, groupId: string): Promise<unknown> =>
  prisma.user.create({ data: { id, groups: { create: { groupId } } } });

const isThere = async (id: string): Promise<boolean> =>
  (await stocked.prisma.user.findMany({ where: { id } })).length === 1;

/** Runs work on a client with a meter, and counts the packets that are sent meanwhile. */
async function observed(work: (client: ReturnType<Database['metered']>) => Promise<unknown>) {
  const meter: Meter = newMeter();
  const before = proxy.packets();
  await work(database.metered(meter));
  return { statements: meter.statements, packets: proxy.packets() - before };
}

describe('A call of Prisma', () => {
  test.each(single)('%s sends one packet, which is counted', async (_, call) => {
    const work = ({ prisma }: Client) => call(prisma);
    await observed(work); // prepares it
    expect(await observed(work)).toEqual({ statements: 1, packets: 1 });
  });

  test.each(single)('%s sends its statement with BEGIN in a transaction', async (_, call) => {
    const work = (client: ReturnType<Database['metered']>) =>
      client.transaction(300, ({ prisma }) => call(prisma));
    await observed(work);
    expect(await observed(work)).toEqual({ statements: 1, packets: 2 });
  });

  test('is prepared on its connection, by a name that depends on its text only', async () => {
    for (let nth = 0; nth < 3; nth += 1) await database.prisma.group.count();
    const named = {
      name: '',
      text: `SELECT name FROM pg_prepared_statements WHERE statement ~ 'COUNT.*"group"'`,
    };
    expect(await database.query(named, [])).toEqual([{ name: expect.stringMatching(/^[0-9a-f]{32}$/) }]);
  });

  test('that sends several statements begins no transaction of its own inside one', async () => {
    const { statements, packets } = await observed(({ transaction }) =>
      transaction(300, (db) => createMember(db, 'joined', 'members')),
    );
    expect(statements).toBeGreaterThan(1);
    expect(packets).toBe(statements + 1); // COMMIT
    expect(await isThere('joined')).toBe(true);
  });

  test('that sends several statements is rolled back with the transaction', async () => {
    const failing = database.transaction(300, async (db) => {
      await createMember(db, 'undone', 'members');
      expect(await isThere('undone')).toBe(false);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await isThere('undone')).toBe(false);
  });

  test('that fails in the middle makes the transaction fail', async () => {
    const failing = database.transaction(300, async (db) => {
      await createMember(db, 'before', 'members');
      await createMember(db, 'failed', 'no such group').catch(() => {});
      await db.query({ name: '', text: 'SELECT 1' }, []);
    });
    await expect(failing).rejects.toThrow('current transaction is aborted');
    expect([await isThere('before'), await isThere('failed')]).toEqual([false, false]);
  });

  test('that sends several statements outside of a transaction is atomic', async () => {
    await expect(createMember(database, 'half', 'no such group')).rejects.toThrow('Foreign key');
    expect(await isThere('half')).toBe(false);
  });

  test('in a transaction without a meter is not counted for the transaction before', async () => {
    const { statements } = await observed(async ({ transaction }) => {
      await transaction(300, ({ prisma }) => prisma.user.count());
      await database.transaction(300, ({ prisma }) => prisma.user.count());
    });
    expect(statements).toBe(1);
  });

  test('reports the rows of its statement', async () => {
    const seen: unknown[] = [];
    const meter: Meter = { ...newMeter(), onStatement: ({ rows }) => seen.push(rows) };
    const { prisma } = database.metered(meter);
    await prisma.user.findMany({ where: { id: 'Administrator' } });
    await prisma.user.updateMany({ where: { id: 'nobody' }, data: { language: 'en' } });
    expect(seen).toEqual([1, 0]);
  });

  describe('in a request with a limit of memory', () => {
    const megabyte = 2 ** 20;
    const limited = () => {
      const budget = new MemoryBudget(4 * megabyte, { onWaited: () => {}, onRefused: () => {} });
      const memory = budget.open('ann');
      return { memory, client: database.metered({ ...newMeter(), memory }) };
    };
    const read = ({ prisma }: Client, bytes: number) =>
      prisma.$queryRawUnsafe<{ text: string }[]>(`SELECT repeat('x', ${bytes}) AS text`);

    test('counts the bytes of its rows', async () => {
      const { memory, client } = limited();
      const [row] = await read(client, megabyte);
      expect(row?.text.length).toBe(megabyte);
      expect(memory.held).toBeGreaterThan(megabyte);
    });

    test.each<[string, (client: ReturnType<Database['metered']>, bytes: number) => Promise<unknown>]>([
      ['outside of a transaction', read],
      ['in a transaction', (client, bytes) => client.transaction(300, (db) => read(db, bytes))],
    ])('ends where its rows are too large, %s', async (_, work) => {
      const { client } = limited();
      const fault = await work(client, 3 * megabyte).catch(translateDatabaseError);
      expect(fault).toBeInstanceOf(RowsTooLarge);
      expect(await work(client, 10)).toEqual([{ text: 'x'.repeat(10) }]);
    });
  });
});
