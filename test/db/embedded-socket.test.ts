import type { Socket } from 'node:net';
import type { PGlite } from '@electric-sql/pglite';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { createDatabase } from '../../src/db/database.ts';
import { embeddedDriver, openEmbedded } from '../../src/db/embedded.ts';
import { type EmbeddedSocket, serveSocket } from '../../src/db/embedded-socket.ts';
import { Unavailable } from '../../src/errors.ts';
import { message, rawClient, startup } from './wire-client.ts';

// Always on an embedded database, since only that one is served on a port by this program.
let db: PGlite;
let socket: EmbeddedSocket;
const id = '01900000-0000-7000-8000-000000000001';
beforeAll(async () => {
  db = await openEmbedded();
  const database = createDatabase(embeddedDriver(db));
  await database.migrate();
  await database.prisma.document.create({
    data: {
      repository: 'default',
      id,
      name: 'a',
      path: '/a',
      type: 'Note',
      title: 'A',
      ancestorIds: [],
      aclId: '00000000-0000-0000-0000-000000000000',
    },
  });
  await db.exec('CREATE TABLE line (text text)');
  socket = await serveSocket(db, 0);
});
afterAll(async () => {
  await socket.close();
  await db.close();
});

/** A client with the codes of the errors it received outside of a query. */
interface TestClient extends pg.Client {
  readonly told: Array<string | undefined>;
}
const clients: TestClient[] = [];
async function connect({ port } = socket): Promise<TestClient> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'anybody', database: 'any' });
  const withTold: TestClient = Object.assign(client, { told: [] });
  client.on('error', (error: Error & { code?: string }) => withTold.told.push(error.code));
  await client.connect();
  clients.push(withTold);
  return withTold;
}
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end()));
  await db.exec('TRUNCATE line');
});

const endOf = (client: pg.Client) => new Promise<void>((resolve) => client.once('end', resolve));
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const lines = async () => (await db.query<{ text: string }>('SELECT text FROM line ORDER BY 1')).rows;
const write = (text: string) => db.query('INSERT INTO line VALUES ($1)', [text]);
const streamOf = (client: pg.Client): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

describe('An embedded database on a port', () => {
  test('serves an ordinary PostgreSQL client', async () => {
    const client = await connect();
    const { rows } = await client.query('SELECT path, properties FROM document WHERE id = $1', [id]);
    expect(rows).toEqual([{ path: '/a', properties: {} }]);
  });

  test('serves several clients and the application concurrently without mixing results', async () => {
    const [one, other] = await Promise.all([connect(), connect()]);
    const asked = Array.from({ length: 30 }, (_, index) => `${index}`);
    const ask = async (query: (text: string) => Promise<{ rows: unknown[] }>, prefix: string) => {
      for (const text of asked) {
        expect((await query(`${prefix}${text}`)).rows).toEqual([{ text: `${prefix}${text}` }]);
      }
    };
    const sql = 'SELECT $1::text AS text';
    await Promise.all([
      ask((text) => one.query(sql, [text]), 'one'),
      ask((text) => other.query(sql, [text]), 'other'),
      ask((text) => db.query(sql, [text]), 'ours'),
    ]);
  });

  test('does not mix an extended query of a client with a statement of the application', async () => {
    const { stream, received } = await rawClient(socket.port, startup);
    await received('Z');
    const text = 'SELECT $1::text AS theirs';
    stream.write(Buffer.concat([message('P', `\0${text}\0\0\0`), message('D', 'S\0'), message('H')]));
    await received('theirs');
    const ours = write('ours');
    await pause(50);
    const value = '\0\0\0\x01\0\0\0\x01x\0\0';
    stream.write(Buffer.concat([message('B', `\0\0${value}`), message('E', '\0\0\0\0\0'), message('S')]));
    await received('SELECT 1');
    await ours;
    expect(await lines()).toEqual([{ text: 'ours' }]);
    stream.destroy();
  });

  test('keeps a write of the application out of the transaction of a client', async () => {
    const client = await connect();
    await client.query('BEGIN');
    const ours = write('ours');
    await client.query("INSERT INTO line VALUES ('theirs')");
    await client.query('ROLLBACK');
    await ours;
    expect(await lines()).toEqual([{ text: 'ours' }]);
  });

  test('keeps the error of a client out of a transaction of the application', async () => {
    const client = await connect();
    await db.transaction(async (tx) => {
      await tx.query("INSERT INTO line VALUES ('first')");
      client.query('SELECT nowhere').catch(() => {});
      await pause(50);
      await tx.query("INSERT INTO line VALUES ('second')");
    });
    await expect(client.query('SELECT nowhere')).rejects.toThrow('nowhere');
    expect(await lines()).toHaveLength(2);
  });

  test.each([
    'SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY',
    "SET search_path = 'pg_catalog'",
    'SET ROLE pg_monitor',
    'CREATE TEMP TABLE line (other int)',
    'SELECT pg_advisory_lock(1)',
  ])('keeps session state of a client from the application: %s', async (sql) => {
    const client = await connect();
    await client.query(sql);
    await write('ours');
    expect(await lines()).toEqual([{ text: 'ours' }]);
    const { rows } = await db.query("SELECT FROM pg_locks WHERE locktype = 'advisory'");
    expect(rows).toEqual([]);
  });

  test('separates the prepared statements of clients and drops them with the last client', async () => {
    const [one, other] = await Promise.all([connect(), connect()]);
    const ask = async (client: pg.Client, text: string) => (await client.query({ name: 'same', text })).rows;
    expect(await ask(one, 'SELECT 1 AS a')).toEqual([{ a: 1 }]);
    expect(await ask(other, 'SELECT 2 AS b')).toEqual([{ b: 2 }]);
    expect(await ask(one, 'SELECT 1 AS a')).toEqual([{ a: 1 }]);
    await Promise.all(clients.splice(0).map((client) => client.end()));
    await pause(100);
    expect((await db.query('SELECT name FROM pg_prepared_statements')).rows).toEqual([]);
  });
});

describe('A client that disconnects', () => {
  test.each([
    ['in a transaction', "BEGIN; INSERT INTO line VALUES ('theirs')"],
    ['in a failed transaction', "BEGIN; INSERT INTO line VALUES ('theirs'); SELECT nowhere"],
  ])('%s does not block the application and is rolled back', async (_, sql) => {
    const client = await connect();
    await client.query(sql).catch(() => {});
    const ours = write('ours');
    streamOf(client).destroy();
    await ours;
    expect(await lines()).toEqual([{ text: 'ours' }]);
  });

  test('while its statement is queued has the statement dropped', async () => {
    const client = await connect();
    await db.transaction(async () => {
      client.query("INSERT INTO line VALUES ('theirs')").catch(() => {});
      await pause(50);
      streamOf(client).destroy();
      await pause(50);
    });
    await write('ours');
    expect(await lines()).toEqual([{ text: 'ours' }]);
  });

  test('after an error in an extended query does not block the application', async () => {
    const insert = message('Q', "BEGIN; INSERT INTO line VALUES ('theirs')\0");
    const { stream, received } = await rawClient(
      socket.port,
      startup,
      insert,
      message('P', '\0SELECT nowhere\0\0\0'),
    );
    await received('42703');
    stream.destroy();
    await write('ours');
    expect(await lines()).toEqual([{ text: 'ours' }]);
  });

  test('within an extended query is rolled back', async () => {
    const insert = message('P', "\0INSERT INTO line VALUES ('theirs')\0\0\0");
    const { stream, received } = await rawClient(
      socket.port,
      startup,
      insert,
      message('B', '\0\0\0\0\0\0\0\0'),
      message('E', '\0\0\0\0\0'),
    );
    await received('INSERT 0 1');
    stream.destroy();
    await write('ours');
    expect(await lines()).toEqual([{ text: 'ours' }]);
  });

  test('is disconnected by the server when its idle transaction blocks others for five seconds', async () => {
    const client = await connect();
    await client.query("BEGIN; INSERT INTO line VALUES ('theirs')");
    const ended = endOf(client);
    const start = performance.now();
    await write('ours');
    expect(performance.now() - start).toBeLessThan(25_000);
    expect(await lines()).toEqual([{ text: 'ours' }]);
    await ended;
    expect(client.told[0]).toBe('25P03');
    expect((await (await connect()).query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });
});

describe('Messages that PGlite would not survive', () => {
  test('COPY FROM STDIN is refused and the connection stays usable', async () => {
    const client = await connect();
    await expect(client.query('COPY line FROM STDIN')).rejects.toThrow('cannot COPY FROM STDIN');
    await pause(50);
    const start = performance.now();
    await write('ours'); // does not wait for the data of the client
    expect(performance.now() - start).toBeLessThan(15_000);
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  test.each([
    ['an unknown message', message('@')],
    ['an unrequested password', message('p', 'secret\0')],
    ['a message without a length', Buffer.from('Q\0\0\0\0')],
    ['a message of negative length', Buffer.from([0x51, 0xff, 0xff, 0xff, 0xfa])],
  ])('%s ends the connection', async (_, bytes) => {
    const client = await connect();
    const ended = endOf(client);
    streamOf(client).write(bytes);
    await ended;
    await write('ours');
    expect(await lines()).toHaveLength(1);
  });

  test.each([
    ['for replication', '\0\x03\0\0user\0a\0replication\0true\0\0'],
    ['without an end', '\0\x03\0\0user'],
    ['without a user', '\0\x03\0\0\0'],
  ])('a startup message %s is accepted like any other', async (_, content) => {
    const { stream, received } = await rawClient(socket.port, message('', content));
    await received('Z');
    stream.destroy();
    await write('ours');
    expect(await lines()).toHaveLength(1);
  });

  test('an HTTP request does not disturb the database', async () => {
    const { stream } = await rawClient(socket.port, Buffer.from('POST / HTTP/1.1\r\n\r\nSELECT 1'));
    await write('ours');
    expect(await lines()).toHaveLength(1);
    stream.destroy();
  });
});

describe('The port of the embedded database', () => {
  test('an error for a port in use names the setting EMBEDDED_PORT', async () => {
    const taken = serveSocket(db, socket.port);
    await expect(taken).rejects.toThrow(Unavailable);
    await expect(taken).rejects.toThrow(
      `port ${socket.port} of 127.0.0.1 is in use: set another EMBEDDED_PORT`,
    );
  });

  test('on close, disconnects its clients, rolls back their transactions and is free', async () => {
    const second = await serveSocket(db, 0);
    const client = await connect(second);
    await client.query("BEGIN; INSERT INTO line VALUES ('theirs')");
    const ended = endOf(client);
    await second.close();
    expect(await lines()).toEqual([]);
    await ended;
    expect(client.told[0]).toBe('57P01');
    await expect(connect(second)).rejects.toThrow('ECONNREFUSED');
    await (await serveSocket(db, second.port)).close();
  });
});
