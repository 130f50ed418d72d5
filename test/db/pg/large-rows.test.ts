import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Client, createDatabase, type Database } from '../../../src/db/database.ts';
import { connectServer } from '../../../src/db/postgres-server.ts';
import type { Statement } from '../../../src/db/statement.ts';
import { QuotaExceeded, TooLarge } from '../../../src/errors.ts';
import { stockedDatabase } from '../../support/database.ts';

/** The lengths of the chunks in which the proxy forwards the server's answers, in a cycle. */
const chunks = [1, 4, 5, 70_000, 3, 64, 65_536, 9_999, 2, 200_000];

/** A proxy that splits the server's data into other chunks. */
async function openCutter(url: string): Promise<{ readonly url: string; readonly cutter: Server }> {
  const { hostname, port } = new URL(url);
  const cutter = createServer({ noDelay: true }, (client) => {
    const server = connect({ host: hostname, port: Number(port), noDelay: true });
    client.pipe(server);
    let [turn, held] = [0, Buffer.alloc(0)];
    server.on('data', (bytes) => {
      held = Buffer.concat([held, bytes]);
      while (held.length > 0) {
        const length = chunks[turn++ % chunks.length] ?? 1;
        client.write(held.subarray(0, length));
        held = held.subarray(length);
      }
    });
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  cutter.listen(0, '127.0.0.1');
  await once(cutter, 'listening');
  const cut = new URL(url);
  Object.assign(cut, { hostname: '127.0.0.1', port: String((cutter.address() as AddressInfo).port) });
  return { url: cut.href, cutter };
}

const lengths = [3, 70_000, 65_500, 0, 1_200_000, 65_536, 10, 400_000, 100];
const mixed = `SELECT n::int, CASE WHEN length > 0 THEN repeat('é', length / 2) END AS text,
    jsonb_build_object('list', ARRAY[n, 2], 'text', repeat('€\n', length / 4)) AS json, NULL AS nothing
  FROM unnest(ARRAY[${lengths}]) WITH ORDINALITY AS of (length, n) ORDER BY n`;
const expected = lengths.map((length, index) => ({
  n: index + 1,
  text: length > 0 ? 'é'.repeat(length / 2) : null,
  json: { list: [index + 1, 2], text: '€\n'.repeat(length / 4) },
  nothing: null,
}));

const backend = { name: '', text: 'SELECT pg_backend_pid() AS pid' };
const pidOf = async (db: Pick<Client, 'query'>): Promise<number> =>
  ((await db.query<{ pid: number }>(backend, []))[0] as { pid: number }).pid;

let stocked: Database;
let database: Database;
let cutter: Server;
beforeAll(async () => {
  const { database: own, url } = await stockedDatabase();
  stocked = own;
  const opened = await openCutter(url);
  cutter = opened.cutter;
  database = createDatabase(connectServer(opened.url, 300, 1));
});
afterAll(async () => {
  await database.close();
  cutter.close();
  await stocked.close();
});

describe('Rows of any length, in any chunks,', () => {
  test.each([
    ['a statement', (text: string) => database.query({ name: '', text }, [])],
    ['a statement row by row', (text: string) => database.query({ name: '', text, isLarge: true }, [])],
    ['a shared connection', (text: string) => database.query({ name: '', text, isQuick: true }, [])],
    [
      'a transaction',
      (text: string) => database.transaction(60, ({ query }) => query({ name: '', text }, [])),
    ],
    ['a connection apart', (text: string) => database.apart(({ query }) => query({ name: '', text }, []))],
    ['Prisma', (text: string) => database.prisma.$queryRawUnsafe(text)],
  ])('arrive complete and in order through %s', async (_source, read) => {
    const rows = (await read(mixed)) as typeof expected;
    expect(rows.length).toBe(expected.length);
    for (const [index, row] of rows.entries()) expect(row).toEqual(expected[index]);
    expect(await read(mixed)).toEqual(rows); // the buffers of the rows are used again
  });

  test('arrive for statements that run at the same time', async () => {
    const read = (n: number) =>
      database.query<{ text: string }>(
        { name: '', text: `SELECT repeat('${n}', 300000) AS text FROM generate_series(1, 3)`, isQuick: true },
        [],
      );
    const answers = await Promise.all([1, 2, 3, 4].map(read));
    for (const [index, rows] of answers.entries())
      expect(rows).toEqual(Array.from({ length: 3 }, () => ({ text: String(index + 1).repeat(300_000) })));
  });
});

describe('A statement that is ended because of its rows', () => {
  const large = { name: '', text: `SELECT repeat('x', 500000) AS text FROM generate_series(1, 20)` };
  const refusing = (fault: Error, counts: number[]): Statement => ({
    ...large,
    received: (bytes, rows) => {
      counts.push(bytes);
      return rows < 2 ? undefined : fault;
    },
  });

  test('fails at once and counts no further rows', async () => {
    const counts: number[] = [];
    const fault = new TooLarge('too large');
    await expect(database.query(refusing(fault, counts), [])).rejects.toBe(fault);
    expect(counts.length).toBe(3);
    for (const bytes of counts) expect(bytes).toBeGreaterThan(500_000);
    await pidOf(database);
    expect(counts.length).toBe(3);
  });

  test('leaves its connection usable when it is read row by row', async () => {
    const before = await pidOf(database);
    const [fault, counts] = [new TooLarge('too large'), [] as number[]];
    const refused = database.query({ ...refusing(fault, counts), isLarge: true }, []);
    await expect(refused).rejects.toBe(fault);
    expect(counts.length).toBe(3);
    expect(await pidOf(database)).toBe(before);
    expect(await database.query({ ...large, isLarge: true }, [])).toHaveLength(20);
  });

  test('leaves a shared connection usable for the statements behind it', async () => {
    const fault = new TooLarge('too large');
    const [refused, ...others] = await Promise.allSettled([
      database.query({ ...refusing(fault, []), isQuick: true }, []),
      pidOf({ query: (query, values) => database.query({ ...query, isQuick: true }, values) }),
      database.query({ ...large, isQuick: true }, []),
    ]);
    expect(refused).toEqual({ status: 'rejected', reason: fault });
    expect(others.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  });

  test('closes the connection of its transaction, whose rows would all have to be read', async () => {
    const before = await pidOf(database);
    const fault = new TooLarge('too large');
    const transaction = database.transaction(60, ({ query }) => query(refusing(fault, []), []));
    await expect(transaction).rejects.toBe(fault);
    expect(await pidOf(database)).not.toBe(before);
  });
});

test.each([
  ['the length of a body', new TooLarge('the body is too large')],
  ['a quota', new QuotaExceeded(1)],
])(
  'A transaction that fails because of %s is rolled back, and its connection is used again',
  async (_limit, fault) => {
    const before = await pidOf(database);
    const transaction = database.transaction(60, async ({ query }) => {
      await query({ name: '', text: `INSERT INTO "user" (id) VALUES ('undone')` }, []);
      throw fault;
    });
    await expect(transaction).rejects.toBe(fault);
    expect(await pidOf(database)).toBe(before);
    expect(await stocked.prisma.user.findMany({ where: { id: 'undone' } })).toEqual([]);
  },
);

test('A statement that is read row by row fails like any other, and its connection is closed', async () => {
  const before = await pidOf(database);
  const text = 'SELECT 1 / (3 - n) AS n FROM generate_series(1, 5) AS n';
  await expect(database.query({ name: '', text, isLarge: true }, [])).rejects.toThrow('division by zero');
  expect(await pidOf(database)).not.toBe(before);
  expect(await database.query({ name: '', text: 'SELECT WHERE false', isLarge: true }, [])).toEqual([]);
});
