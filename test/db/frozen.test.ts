/** @group slow */
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Client, connectionTimeout, createDatabase, type Database } from '../../src/db/database.ts';
import { translateDatabaseError } from '../../src/db/errors.ts';
import { connectServer } from '../../src/db/postgres-server.ts';
import { Unavailable } from '../../src/errors.ts';
import { until } from '../support/until.ts';
import { ask, kill, processSettings, serve } from './processes.ts';
import { openProxy, type SilentProxy } from './silent-proxy.ts';

const quick = { name: 'quick', text: 'SELECT 1 AS one', isQuick: true } as const;

let proxy: SilentProxy;
let database: Database;

beforeAll(async () => {
  proxy = await openProxy(process.env.TEST_DATABASE_URL ?? '');
  database = createDatabase(connectServer(proxy.url, 300));
});
afterAll(async () => {
  await database.close();
  await proxy.close();
});

describe('§8 A database that stops responding', () => {
  test('quick reads and new transactions fail with Unavailable and reconnect afterwards', async () => {
    expect(await database.query(quick, [])).toEqual([{ one: 1 }]);
    expect(await database.query(quick, [])).toEqual([{ one: 1 }]); // on the other one of two connections
    await database.transaction(300, async (db) => db.query(quick, []));
    await wait(1_100); // a connection that has worked a moment ago begins its next transaction unasked
    proxy.silence();
    const began = performance.now();
    const results: Array<Promise<unknown>> = [];
    for (let turn = 0; turn < 4; turn += 1) {
      results.push(database.query(quick, []).catch(translateDatabaseError));
      await nextTurn(); // what one turn asks goes over one connection
    }
    const work = async (db: Client) => db.query({ name: '', text: 'SELECT 1' }, []);
    results.push(database.transaction(300, work).catch(translateDatabaseError));
    for (const error of await Promise.all(results)) expect(error).toBeInstanceOf(Unavailable);
    expect(performance.now() - began).toBeGreaterThan(connectionTimeout - 100);
    expect(performance.now() - began).toBeLessThan(connectionTimeout + 15_000);
    const answers = () => database.query(quick, []).then(Boolean, () => false);
    await until(answers); // as soon as the connections that were silent are gone
    expect([await answers(), await answers()]).toEqual([true, true]);
    expect(await database.transaction(300, async (db) => db.query(quick, []))).toEqual([{ one: 1 }]);
  });

  test('a transaction whose connection has just worked fails while announcements are received', async () => {
    const listening = createDatabase(connectServer(proxy.url, 300));
    listening.announcements.on('jobs', () => {});
    await until(() => listening.announcements.isConnected());
    const work = () => listening.transaction(300, async (db) => db.query({ name: '', text: 'SELECT 1' }, []));
    await work();
    await work();
    proxy.silence();
    const began = performance.now();
    expect(await work().catch(translateDatabaseError)).toBeInstanceOf(Unavailable);
    expect(performance.now() - began).toBeLessThan(connectionTimeout + 15_000);
    await listening.close();
  });

  test('other reads fail with Unavailable after their statement timeout and reconnect', async () => {
    const hasty = createDatabase(connectServer(proxy.url, 1));
    const slow = { name: 'slow', text: 'SELECT 2 AS two' } as const;
    const reads = [() => hasty.query(slow, []), () => hasty.prisma.$queryRawUnsafe('SELECT 2 AS two')];
    const readAll = () => Promise.all(reads.map((read) => read().catch(translateDatabaseError)));
    const right = reads.map(() => [{ two: 2 }]);
    expect(await readAll()).toEqual(right);
    proxy.silence();
    for (const error of await readAll()) expect(error).toBeInstanceOf(Unavailable);
    expect(await readAll()).toEqual(right);
    await hasty.close();
  });

  test('the connections can still be closed within seconds', async () => {
    const frozen = createDatabase(connectServer(proxy.url, 300));
    const slow = { name: 'slow', text: 'SELECT 2 AS two' } as const;
    frozen.announcements.on('principals', () => {});
    await until(frozen.announcements.isConnected);
    await Promise.all([frozen.query(quick, []), frozen.query(quick, []), frozen.query(slow, [])]);
    proxy.silence();
    const results = [quick, slow].map((query) => frozen.query(query, []).catch(translateDatabaseError));
    results.push(frozen.transaction(300, async (db) => db.query(slow, [])).catch(translateDatabaseError));
    const began = performance.now();
    await frozen.close();
    expect(performance.now() - began).toBeLessThan(20_000);
    for (const error of await Promise.all(results)) expect(error).toBeInstanceOf(Unavailable);
  });
});

/** Whether the log-in of a request has been written to the audit, which happens soon after it. */
async function isLoggedIn(url: string): Promise<boolean> {
  const { prisma, close } = createDatabase(connectServer(url, 60));
  try {
    return (await prisma.logEntry.count({ where: { eventId: 'loginSuccess' } })) > 0;
  } finally {
    await close();
  }
}

describe('§8 A server whose database stops responding', () => {
  /** Starts a server, silences its database, does some work and stops it; returns what it printed. */
  async function stopAfter(work: (url: string) => Promise<void>): Promise<string> {
    await using stocked = await processSettings({ isStocked: true });
    const through = await openProxy(stocked.settings.DATABASE_URL ?? '');
    const server = await serve({ ...stocked.settings, DATABASE_URL: through.url });
    try {
      for (const path of ['path/default-domain', 'path/default-domain/@children'])
        expect((await ask(server.url, `/api/v1/${path}`)).status).toBe(200);
      await until(() => isLoggedIn(stocked.settings.DATABASE_URL ?? ''));
      through.silence();
      await work(server.url);
      const began = performance.now();
      server.child.kill('SIGTERM');
      expect(await server.ended).toEqual({ code: 0, signal: null });
      expect(performance.now() - began).toBeLessThan(20_000);
      return server.printed.out;
    } finally {
      await kill(server);
      await through.close();
    }
  }

  test('an idle server stops in order with code 0', async () => {
    expect(await stopAfter(async () => {})).not.toContain('did not finish in time');
  });

  test('a server with pending requests stops after some seconds with code 0', async () => {
    await stopAfter(async (url) => {
      const body = JSON.stringify({ 'entity-type': 'document', type: 'Folder', name: 'never' });
      const requests = [
        ask(url, '/api/v1/path/default-domain'),
        ask(url, '/api/v1/path/default-domain/@children'),
        ask(url, '/api/v1/path/', { method: 'POST', body }),
        fetch(`${url}/api/v1/path/`, { headers: { Authorization: 'Basic bm9ib2R5Om5vYm9keQ==' } }),
      ];
      for (const request of requests) request.catch(() => {}); // cut off
      await wait(1_000);
    });
  });
});
