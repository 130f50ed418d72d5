/** @group slow */
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createDatabase, type Database } from '../../src/db/database.ts';
import { translateDatabaseError } from '../../src/db/errors.ts';
import { connectServer } from '../../src/db/postgres-server.ts';
import { Unavailable } from '../../src/errors.ts';
import { basicHeader } from '../support/authentication.ts';
import { until } from '../support/until.ts';
import { ask, type ProcessSettings, processSettings, type RunningServer, serve } from './processes.ts';
import { openProxy, type SilentProxy } from './silent-proxy.ts';

jest.setTimeout(120_000);

/** The time in milliseconds after which possibly outdated caches are not used: see `trust` in notifications.ts. */
const trusted = 5_000;

/** The maximum time of an answer while the host is gone, in milliseconds. */
const bound = 25_000;

const slow = { name: 'slow', text: 'SELECT 2 AS two' } as const;

let shared: ProcessSettings;
let proxy: SilentProxy;
let near: RunningServer;
/** The node whose database is behind the proxy, and connections of this process to that database. */
let far: RunningServer;
let database: Database;

beforeAll(async () => {
  shared = await processSettings({ isStocked: true });
  proxy = await openProxy(shared.settings.DATABASE_URL ?? '');
  near = await serve(shared.settings);
  far = await serve({ ...shared.settings, DATABASE_URL: proxy.url });
  database = createDatabase(connectServer(proxy.url, 300));
  database.announcements.on('principals', () => {});
});
afterAll(async () => {
  await Promise.all([near, far].map((node) => node[Symbol.asyncDispose]()));
  await database.close();
  await proxy.close();
  await shared[Symbol.asyncDispose]();
});

const send = (node: RunningServer, method: string, path: string, body: object): Promise<Response> =>
  ask(node.url, `/api/v1/${path}`, { method, body: JSON.stringify(body) });

const create = (name: string): Promise<Response> =>
  send(far, 'POST', 'path/', { 'entity-type': 'document', type: 'Folder', name });

const user = (password: string): object => ({
  'entity-type': 'user',
  id: 'reader',
  properties: { username: 'reader', password, groups: ['members'] },
});

describe('§8 A node that is cut off', () => {
  test('§5 only from announcements uses no credentials that have changed elsewhere', async () => {
    expect((await send(near, 'POST', 'user', user('Secret-1'))).status).toBe(201);
    const read = () =>
      ask(far.url, '/api/v1/path/default-domain', {
        headers: { Authorization: basicHeader('reader', 'Secret-1') },
      });
    expect([(await read()).status, (await read()).status]).toEqual([200, 200]);
    proxy.silence('quire announcements');
    expect((await send(near, 'PUT', 'user/reader', user('Secret-2'))).status).toBe(200);
    await until(async () => (await read()).status === 401, trusted + 3_000);
  });

  test('leaves sessions behind that soon end and release their locks', async () => {
    const show = (name: string) => database.query({ name: '', text: `SHOW ${name}` }, []);
    expect(await show('tcp_keepalives_idle')).toEqual([{ tcp_keepalives_idle: '20' }]);
    expect(await show('tcp_user_timeout')).toEqual([{ tcp_user_timeout: '40000' }]);
  });

  test('because a host has vanished answers 503 in time, and works again when the host is back', async () => {
    await until(database.announcements.isConnected);
    expect((await create('before')).status).toBe(201);
    const stuck = database.transaction(300, async (db) => {
      await db.query(slow, []);
      proxy.vanish();
      return db.query(slow, []);
    });
    const failed = stuck.catch(translateDatabaseError);
    await until(async () => (await fetch(`${far.url}/health/ready`)).status === 503);
    const began = performance.now();
    const put = { 'entity-type': 'document', properties: { 'dc:title': 'never' } };
    const answers = await Promise.all([
      ask(far.url, '/api/v1/path/before'),
      ask(far.url, '/api/v1/path/before/@children'),
      ask(far.url, `/api/v1/search/lang/NXQL/execute?query=${encodeURIComponent('SELECT * FROM Folder')}`),
      ask(far.url, '/api/v1/path/', { headers: { Authorization: basicHeader('reader', 'Secret-2') } }),
      create('never'),
      send(far, 'PUT', 'path/before', put),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503));
    expect(performance.now() - began).toBeLessThan(bound);
    expect(await failed).toBeInstanceOf(Unavailable);
    expect((await fetch(`${far.url}/health/live`)).status).toBe(200);

    proxy.comeBack();
    await until(async () => (await fetch(`${far.url}/health/ready`)).status === 200, bound);
    await until(async () => (await create('after')).status === 201, bound);
    expect(await (await ask(far.url, '/api/v1/path/before')).json()).toMatchObject({ title: 'before' });
    expect((await ask(far.url, '/api/v1/path/never')).status).toBe(404);
    expect(await database.query(slow, [])).toEqual([{ two: 2 }]);
    for (const { printed } of [near, far]) expect(printed.out).not.toContain('unexpected error');
  });
});
