import { once } from 'node:events';
import type { Socket } from 'node:net';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { freePort } from '../../src/embedded/free-port.ts';
import { type PgliteSessions, servePglite } from '../../src/embedded/pglite-sessions.ts';
import { message, rawClient, startup } from './wire-client.ts';

let db: PGlite;
let port: number;
let sessions: PgliteSessions;
/** Another client, as the application is one. */
let app: pg.Client;
beforeAll(async () => {
  db = await PGlite.create();
  await db.exec('CREATE TABLE line (text text)');
  port = await freePort();
  sessions = await servePglite(db, { port, password: 'secret' });
  app = new pg.Client({ connectionString: addressOf(port) });
  await app.connect();
});
afterAll(async () => {
  await app.end();
  await sessions.close();
  await db.close();
});

const addressOf = (at: number, password = 'secret') => `postgres://quire:${password}@127.0.0.1:${at}/any`;

const passwordMessage = (password = 'secret') => message('p', `${password}\0`);

/** A client with the codes of the errors it received outside of a query. */
interface TestClient extends pg.Client {
  readonly told: Array<string | undefined>;
}
const clients: TestClient[] = [];
async function connect(at = port): Promise<TestClient> {
  const client = new pg.Client({ connectionString: addressOf(at) });
  const withTold: TestClient = Object.assign(client, { told: [] });
  client.on('error', (error: Error & { code?: string }) => withTold.told.push(error.code));
  await client.connect();
  clients.push(withTold);
  return withTold;
}
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end()));
  await app.query('TRUNCATE line');
});

const endOf = (client: pg.Client) => new Promise<void>((resolve) => client.once('end', resolve));
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const lines = async () => (await app.query<{ text: string }>('SELECT text FROM line ORDER BY 1')).rows;
const write = (text: string) => app.query('INSERT INTO line VALUES ($1)', [text]);
const streamOf = (client: pg.Client): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

describe('The fallback', () => {
  test.each(['', 'secre', 'secrets', 'other'])('refuses the password %j', async (password) => {
    const client = new pg.Client({ connectionString: addressOf(port, password || 'x') });
    await expect(client.connect()).rejects.toMatchObject({ code: '28P01' });
  });

  test('runs nothing before it has seen the password', async () => {
    const { stream } = await rawClient(port, startup, message('Q', "INSERT INTO line VALUES ('theirs')\0"));
    await once(stream, 'close');
    expect(await lines()).toEqual([]);
  });

  test('notifies clients that listen, of what others have committed', async () => {
    const [one, other] = await Promise.all([connect(), connect()]);
    const received: Array<string | undefined> = [];
    one.on('notification', ({ payload }) => received.push(payload));
    await one.query('LISTEN news');
    await other.query("BEGIN; NOTIFY news, 'never'; ROLLBACK");
    await other.query("BEGIN; NOTIFY news, 'once'; COMMIT");
    await app.query('SELECT pg_notify($1, $2)', ['news', 'again']);
    while (received.length < 2) await pause(10);
    expect(received).toEqual(['once', 'again']);
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
      ask((text) => app.query(sql, [text]), 'ours'),
    ]);
  });

  test('does not mix an extended query of a client with a statement of the application', async () => {
    const { stream, received } = await rawClient(port, startup, passwordMessage());
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
    await app.query("BEGIN; INSERT INTO line VALUES ('first')");
    client.query('SELECT nowhere').catch(() => {});
    await pause(50);
    await app.query("INSERT INTO line VALUES ('second')");
    await app.query('COMMIT');
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
    const { rows } = await app.query("SELECT FROM pg_locks WHERE locktype = 'advisory'");
    expect(rows).toEqual([]);
  });

  test('separates the prepared statements of clients and drops them when the client ends', async () => {
    const [one, other] = await Promise.all([connect(), connect()]);
    const ask = async (client: pg.Client, text: string) => (await client.query({ name: 'same', text })).rows;
    expect(await ask(one, 'SELECT 1 AS a')).toEqual([{ a: 1 }]);
    expect(await ask(other, 'SELECT 2 AS b')).toEqual([{ b: 2 }]);
    expect(await ask(one, 'SELECT 1 AS a')).toEqual([{ a: 1 }]);
    await Promise.all(clients.splice(0).map((client) => client.end()));
    await pause(100);
    expect((await app.query('SELECT name FROM pg_prepared_statements')).rows).toEqual([]);
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
    await app.query('BEGIN');
    client.query("INSERT INTO line VALUES ('theirs')").catch(() => {});
    await pause(50);
    streamOf(client).destroy();
    await pause(50);
    await app.query('COMMIT');
    await write('ours');
    expect(await lines()).toEqual([{ text: 'ours' }]);
  });

  test('after an error in an extended query does not block the application', async () => {
    const insert = message('Q', "BEGIN; INSERT INTO line VALUES ('theirs')\0");
    const { stream, received } = await rawClient(
      port,
      startup,
      passwordMessage(),
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
      port,
      startup,
      passwordMessage(),
      insert,
      message('B', '\0\0\0\0\0\0\0\0'),
      message('E', '\0\0\0\0\0'),
    );
    await received('INSERT 0 1');
    stream.destroy();
    await write('ours');
    expect(await lines()).toEqual([{ text: 'ours' }]);
  });

  test('is disconnected by the server when its idle transaction blocks others for thirty seconds', async () => {
    const client = await connect();
    await client.query("BEGIN; INSERT INTO line VALUES ('theirs')");
    const ended = endOf(client);
    const start = performance.now();
    await write('ours');
    expect(performance.now() - start).toBeLessThan(50_000);
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
    const { stream, received } = await rawClient(port, message('', content), passwordMessage());
    await received('Z');
    stream.destroy();
    await write('ours');
    expect(await lines()).toHaveLength(1);
  });

  test('an HTTP request does not disturb the database', async () => {
    const { stream } = await rawClient(port, Buffer.from('POST / HTTP/1.1\r\n\r\nSELECT 1'));
    await write('ours');
    expect(await lines()).toHaveLength(1);
    stream.destroy();
  });
});

describe('The port of the fallback', () => {
  test('on close, disconnects its clients, rolls back their transactions and is free', async () => {
    const other = await freePort();
    const second = await servePglite(db, { port: other, password: 'secret' });
    const client = await connect(other);
    await client.query("BEGIN; INSERT INTO line VALUES ('theirs')");
    const ended = endOf(client);
    await second.close();
    expect(await lines()).toEqual([]);
    await ended;
    expect(client.told[0]).toBe('57P01');
    await expect(connect(other)).rejects.toThrow('ECONNREFUSED');
    await (await servePglite(db, { port: other, password: 'secret' })).close();
  });
});
