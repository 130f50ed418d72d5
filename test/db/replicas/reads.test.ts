/** @group slow, long */
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createDatabase } from '../../../src/db/database.ts';
import { newMeter } from '../../../src/db/meter.ts';
import { connectServer } from '../../../src/db/postgres-server.ts';
import { createReads } from '../../../src/db/replicas/reads.ts';
import { authorization } from '../../support/administrator.ts';
import { basicHeader } from '../../support/authentication.ts';
import { type Replicated, startReplicated } from '../../support/cluster.ts';
import { newFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';
import { type RunningServer, serve } from '../processes.ts';
import { openProxy, type SilentProxy } from '../silent-proxy.ts';

jest.setTimeout(240_000);

let clusters: Replicated;
let nodes: RunningServer[];
/** The proxy between the second node and the primary. */
let proxy: SilentProxy;
beforeAll(async () => {
  clusters = await startReplicated();
  const settings = {
    DATA_DIR: newFolder(),
    DATABASE_URL: clusters.primary.url,
    DATABASE_REPLICA_URLS: clusters.standby.url,
  };
  proxy = await openProxy(clusters.primary.url);
  nodes = [await serve(settings), await serve({ ...settings, DATABASE_URL: proxy.url })];
  const made = await send('POST', '/api/v1/user', {
    'entity-type': 'user',
    id: 'reader',
    properties: { username: 'reader', password: 'Secret-1', groups: ['members'] },
  });
  expect(made.status).toBe(201);
  await send('POST', '/api/v1/path/', { 'entity-type': 'document', type: 'Folder', name: 'folder' });
  await until(async () => (await readsOf('standby', () => get('/api/v1/path/folder', reader))) === 1, 60_000);
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()));
  await proxy.close();
  await clusters[Symbol.asyncDispose]();
});

interface Pair {
  readonly access_token: string;
  readonly refresh_token: string;
}

const reader = basicHeader('reader', 'Secret-1');

/** Sends a request to a node by its number, without a cookie unless one is given. */
function get(path: string, credentials = authorization, node = 0, cookie = ''): Promise<Response> {
  const headers = { authorization: credentials, ...(cookie && { cookie }) };
  return fetch(`${nodes[node]?.url}${path}`, { headers });
}

function send(method: string, path: string, body: object, node = 0): Promise<Response> {
  return fetch(`${nodes[node]?.url}${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

const rename = (title: string, node = 0): Promise<Response> =>
  send('PUT', '/api/v1/path/folder', { 'entity-type': 'document', properties: { 'dc:title': title } }, node);

const titleOf = async (answer: Promise<Response>): Promise<string> =>
  ((await (await answer).json()) as { title: string }).title;

async function metric(
  name: string,
  cluster: keyof Replicated & ('primary' | 'standby'),
  node = 0,
): Promise<number> {
  const text = await (await get('/metrics', authorization, node)).text();
  const server = cluster === 'primary' ? 'primary' : new URL(clusters.standby.url).host;
  return Number(new RegExp(`^${name}\\{server="${server}"\\} (.*)$`, 'm').exec(text)?.[1]);
}

/** The number of reads that a database server answers while work runs. */
async function readsOf(
  cluster: 'primary' | 'standby',
  work: () => Promise<unknown>,
  node = 0,
): Promise<number> {
  const before = await metric('database_reads_total', cluster, node);
  await work();
  return (await metric('database_reads_total', cluster, node)) - before;
}

/** Pauses the replica, and waits until it applies nothing more. */
async function pause(): Promise<void> {
  await clusters.standby.query('SELECT pg_wal_replay_pause()');
  await until(async () => {
    const [row] = await clusters.standby.query('SELECT pg_get_wal_replay_pause_state() AS state');
    return row?.state === 'paused';
  });
}
const resume = (): Promise<unknown> => clusters.standby.query('SELECT pg_wal_replay_resume()');

describe('§8 DATABASE_REPLICA_URLS', () => {
  test('reads and searches of callers without recent writes use the replica, with no additional statements', async () => {
    const paths = ['/api/v1/path/folder', '/api/v1/search/lang/NXQL/execute?query=SELECT * FROM Folder'];
    for (const path of paths) {
      await until(async () => (await readsOf('standby', () => get(path, reader))) === 1);
      const answer = await get(path, reader);
      expect(answer.status).toBe(200);
      const statements = /desc="(\d+)"/.exec(answer.headers.get('server-timing') ?? '')?.[1];
      expect(Number(statements)).toBeLessThanOrEqual(4);
    }
  });

  test('a caller reads earlier own writes on each node while the replica lacks them', async () => {
    for (const node of [0, 1]) {
      const read = () => get('/api/v1/path/folder', reader, node);
      await until(async () => (await readsOf('standby', read, node)) === 1);
    }
    await pause();
    try {
      const written = await rename('later');
      expect(written.status).toBe(200);
      expect(await titleOf(get('/api/v1/path/folder'))).toBe('later');
      expect(await titleOf(get('/api/v1/path/folder', authorization, 1))).toBe('later');
      // The cookie of the answer carries the position to a node that has no announcement of it.
      const [cookie = ''] = (written.headers.get('set-cookie') ?? '').split(';');
      expect(cookie).toMatch(/^quire-position=\d+-\d+$/);
      expect(await titleOf(get('/api/v1/path/folder', reader, 1))).toBe('folder');
      expect(await titleOf(get('/api/v1/path/folder', reader, 1, cookie))).toBe('later');
      // Data that a caller has seen on the primary does not disappear in later reads.
      expect(await titleOf(get('/api/v1/path/folder', reader, 1))).toBe('later');
    } finally {
      await resume();
    }
    await until(async () => (await readsOf('standby', () => get('/api/v1/path/folder'))) === 1);
    expect(await titleOf(get('/api/v1/path/folder', reader, 0))).toBe('later');
  });

  test('a caller without a cookie reads own writes on another node whose announcement has not arrived', async () => {
    const readsOfTheOther = () => readsOf('standby', () => get('/api/v1/path/folder', authorization, 1), 1);
    await until(async () => (await readsOfTheOther()) === 1, 30_000);
    await pause();
    try {
      proxy.silence('quire announcements');
      expect((await rename('unannounced')).status).toBe(200);
      const query = encodeURIComponent("SELECT * FROM Folder WHERE dc:title = 'unannounced'");
      const [title, found] = await Promise.all([
        titleOf(get('/api/v1/path/folder', authorization, 1)),
        get(`/api/v1/search/lang/NXQL/execute?query=${query}`, authorization, 1).then((answer) =>
          answer.json(),
        ),
      ]);
      expect(title).toBe('unannounced');
      expect(found).toMatchObject({ resultsCount: 1 });
    } finally {
      await resume();
    }
    await until(async () => (await readsOfTheOther()) === 1, 60_000); // once the connection is replaced
  });

  test('§10 a conversion by POST, which writes outside of a transaction, uses the primary', async () => {
    const properties = { 'note:note': '<i>noted</i>', 'note:mime_type': 'text/html' };
    await send('POST', '/api/v1/path/', {
      'entity-type': 'document',
      type: 'Note',
      name: 'note',
      properties,
    });
    const convert = () => send('POST', '/api/v1/path/note/@convert', { type: 'text/plain' });
    expect(await (await convert()).text()).toBe('noted');
    await until(async () => (await readsOf('standby', () => get('/api/v1/path/note'))) === 1, 30_000);
    expect(await readsOf('standby', convert)).toBe(0);
  });

  test('a search finds the own writes, and waits for the index if it lacks them', async () => {
    for (const title of ['one', 'two', 'three']) {
      await rename(title);
      const query = encodeURIComponent(`SELECT * FROM Folder WHERE dc:title = '${title}'`);
      const answer = await get(`/api/v1/search/lang/NXQL/execute?query=${query}`);
      expect(await answer.json()).toMatchObject({ resultsCount: 1 });
    }
  });

  test('§3 ACLs and credentials are never older than their last change', async () => {
    await until(
      async () => (await readsOf('standby', () => get('/api/v1/path/folder', reader))) === 1,
      30_000,
    );
    await pause();
    try {
      const block = { params: {}, input: '/folder' };
      expect(
        (await send('POST', '/api/v1/automation/Document.BlockPermissionInheritance', block)).status,
      ).toBe(200);
      for (const node of [0, 1])
        await until(async () => (await get('/api/v1/path/folder', reader, node)).status === 403);
      await send('PUT', '/api/v1/user/reader', {
        'entity-type': 'user',
        id: 'reader',
        properties: { username: 'reader', password: 'Secret-2' },
      });
      for (const node of [0, 1])
        await until(async () => (await get('/api/v1/path/folder', reader, node)).status === 401);
    } finally {
      await resume();
    }
  });

  test('§5 a token is accepted on each node as soon as it is issued, and a wrong one never', async () => {
    await until(async () => (await readsOf('standby', () => get('/api/v1/path/folder'))) === 1, 30_000);
    await pause();
    try {
      const statuses = async (headers: Record<string, string>) =>
        Promise.all(
          nodes.map(async ({ url }) => (await fetch(`${url}/api/v1/config/types`, { headers })).status),
        );
      const issued = await get('/authentication/token?applicationName=app&deviceId=one&permission=rw');
      expect(await statuses({ 'x-authentication-token': await issued.text() })).toEqual([200, 200]);
      const redirectURIs = ['https://app.example.org/back'];
      const query = `mutation { createOAuth2Client(client: {clientId: "app", name: "App", redirectURIs: ${JSON.stringify(redirectURIs)}}) { id } }`;
      expect(await (await send('POST', '/graphql', { query })).json()).not.toHaveProperty('errors');
      const post = (path: string, form: Record<string, string>) =>
        fetch(`${nodes[0]?.url}/oauth2/${path}`, {
          method: 'POST',
          headers: path === 'token' ? {} : { authorization },
          body: new URLSearchParams({ client_id: 'app', redirect_uri: `${redirectURIs}`, ...form }),
          redirect: 'manual',
        });
      const consent = await post('authorize_submit', { response_type: 'code', grant_access: '1' });
      const code = new URL(consent.headers.get('location') ?? '').searchParams.get('code') ?? '';
      expect([consent.status, code.length > 0]).toEqual([302, true]);
      let pair = (await (await post('token', { grant_type: 'authorization_code', code })).json()) as Pair;
      expect(await statuses({ authorization: `Bearer ${pair.access_token}` })).toEqual([200, 200]);
      const before = pair.access_token;
      pair = (await (
        await post('token', { grant_type: 'refresh_token', refresh_token: pair.refresh_token })
      ).json()) as Pair;
      expect(await statuses({ authorization: `Bearer ${pair.access_token}` })).toEqual([200, 200]);
      expect(await statuses({ authorization: `Bearer ${before}` })).toEqual([401, 401]);
      expect(await statuses({ 'x-authentication-token': 'wrong' })).toEqual([401, 401]);
    } finally {
      await resume();
    }
  });

  test('a replica that is stopped or far behind is left out, and used again when it has recovered', async () => {
    await clusters.standby.kill();
    const answers = await Promise.all(
      [0, 1, 0, 1].map((node) => get('/api/v1/path/folder', authorization, node)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await readsOf('primary', () => get('/api/v1/path/folder'))).toBe(1);
    expect(await metric('database_replica_used', 'standby')).toBe(0);
    await clusters.standby.start();
    await until(async () => (await readsOf('standby', () => get('/api/v1/path/folder'))) === 1);
    await pause();
    await rename('behind');
    await until(async () => (await metric('database_replica_used', 'standby')) === 0);
    expect(await metric('database_replica_lag_seconds', 'standby')).toBeGreaterThan(9);
    await resume();
    await until(async () => (await metric('database_replica_used', 'standby')) === 1);
  });

  test('a read that waits for a vanished replica is repeated on the primary', async () => {
    const there = await openProxy(clusters.standby.url);
    const primary = createDatabase(connectServer(clusters.primary.url, 300));
    const reads = createReads(primary, new Map([['there', createDatabase(connectServer(there.url, 300))]]));
    const isUsed = () => reads.servers().some(({ replica }) => replica?.isUsed);
    await until(isUsed);
    let asked: boolean[] = [];
    const read = () => {
      asked = [];
      return reads.run(newMeter(), 'no caller', async (db) => {
        asked.push(db.replica !== undefined);
        if (db.replica) there.vanish();
        return db.query({ name: '', text: 'SELECT pg_is_in_recovery() AS "isReplica"' }, []);
      });
    };
    // While the replica has not applied the last changes of ACLs, reads do not try it.
    let answer: unknown;
    await until(async () => {
      answer = await read();
      return asked[0] === true;
    });
    expect([asked, answer]).toEqual([[true, false], [{ isReplica: false }]]);
    expect(isUsed()).toBe(false);
    there.comeBack();
    await until(isUsed);
    await reads.close();
    await primary.close();
    await there.close();
  });

  test('§3 a node that is cut off only from the primary continues to read, with the ACLs of the replica', async () => {
    await until(async () => (await readsOf('standby', () => get('/api/v1/path/folder'))) === 1);
    const folder = { 'entity-type': 'document', type: 'Folder', name: 'closed' };
    expect((await send('POST', '/api/v1/path/', folder)).status).toBe(201);
    const statusOnTheOther = async () =>
      (await get('/api/v1/path/closed', basicHeader('reader', 'Secret-2'), 1)).status;
    await until(async () => (await statusOnTheOther()) === 200);
    proxy.vanish();
    const block = { params: {}, input: '/closed' };
    expect((await send('POST', '/api/v1/automation/Document.BlockPermissionInheritance', block)).status).toBe(
      200,
    );
    await until(async () => (await statusOnTheOther()) === 403);
    expect((await rename('never', 1)).status).toBe(503);
    expect(await statusOnTheOther()).toBe(403);
    expect((await get('/api/v1/path/closed', authorization, 1)).status).toBe(200);
    proxy.comeBack();
    await until(async () => (await rename('back', 1)).status === 200);
  });

  test('reads continue while the primary is down, and writes get 503', async () => {
    for (const node of [0, 1]) {
      const read = () => get('/api/v1/path/folder', authorization, node);
      await until(async () => (await readsOf('standby', read, node)) === 1);
    }
    await clusters.primary.kill();
    for (const node of [0, 1]) {
      // Until the primary is known to be down, a read can wait for it in vain.
      await until(async () => (await get('/api/v1/path/folder', authorization, node)).status === 200);
      expect((await fetch(`${nodes[node]?.url}/health/ready`)).status).toBe(200);
    }
    expect((await rename('never')).status).toBe(503);
    await clusters.primary.start();
    await until(async () => (await rename('again')).status === 200);
    expect(await titleOf(get('/api/v1/path/folder'))).toBe('again');
  });
});
