/** @group slow, long */
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createDatabase } from '../../src/db/database.ts';
import { translateDatabaseError } from '../../src/db/errors.ts';
import { connectServer } from '../../src/db/postgres-server.ts';
import { primaryUrl } from '../../src/db/primary.ts';
import { Unavailable } from '../../src/errors.ts';
import { type Cluster, type Replicated, startReplicated } from '../support/cluster.ts';
import { newFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';
import { ask, type RunningServer, serve } from './processes.ts';
import { openProxy } from './silent-proxy.ts';

jest.setTimeout(240_000);

/** The maximum time until writes succeed again, in seconds. */
const soon = 15_000;

let clusters: Replicated;
let server: RunningServer;
beforeAll(async () => {
  clusters = await startReplicated();
  const { primary, standby } = clusters;
  const both = primary.url.replace(/(127[^/]*)/, `${new URL(standby.url).host},$1`);
  server = await serve({
    DATA_DIR: newFolder(),
    DATABASE_URL: `${both}?target_session_attrs=read-write`,
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await clusters[Symbol.asyncDispose]();
});

let count = 0;
async function write(): Promise<number> {
  count += 1;
  const body = JSON.stringify({ 'entity-type': 'document', type: 'Folder', name: `written-${count}` });
  return (await ask(server.url, '/api/v1/path/', { method: 'POST', body })).status;
}

const read = async (name = 'default-domain'): Promise<number> =>
  (await ask(server.url, `/api/v1/path/${name}`)).status;

const replayed = ({ primary, standby }: Record<'primary' | 'standby', Cluster>): Promise<void> =>
  until(async () => {
    const [now] = await primary.query('SELECT pg_current_wal_lsn() AS at');
    const [row] = await standby.query(`SELECT pg_last_wal_replay_lsn() >= '${now?.at}' AS is_done`);
    return row?.is_done === true;
  });

describe('§8 DATABASE_URL with two hosts', () => {
  test('uses the host that accepts writes, whichever is named first', async () => {
    expect([await write(), await read()]).toEqual([201, 200]);
  });

  test('replaces its connections when the server becomes read-only', async () => {
    const { primary } = clusters;
    const set = async (value: string) => {
      await primary.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
      await primary.query('SELECT pg_reload_conf()');
    };
    await set('on');
    await until(async () => (await write()) === 503, soon);
    await set('off');
    await until(async () => (await write()) === 201, soon);
    expect(await read()).toBe(200);
  });

  test('uses a promoted standby in place of a primary that was killed or has vanished', async () => {
    await replayed(clusters);
    const proxy = await openProxy(clusters.primary.url);
    const [one, other] = [proxy.url, clusters.standby.url].map((url) => new URL(url).host);
    const behind = createDatabase(connectServer(proxy.url.replace(`${one}`, `${one},${other}`), 300));
    behind.announcements.on('principals', () => {});
    await until(behind.announcements.isConnected);
    const stuck = behind.transaction(300, async (db) => {
      await db.query({ name: '', text: 'SELECT 1' }, []);
      proxy.vanish();
      await db.query({ name: '', text: 'SELECT 1' }, []);
    });
    const failed = stuck.catch(translateDatabaseError);

    await clusters.primary.kill();
    const statuses = await Promise.all([write(), read()]);
    expect(statuses).toEqual([503, 503]);
    await clusters.standby.query('SELECT pg_promote()');
    await until(async () => (await write()) === 201, soon);
    expect([await read(), await read('written-1')]).toEqual([200, 200]);
    const rewrite = { name: '', text: `UPDATE document SET title = 'again' WHERE name = 'written-1'` };
    const isWritten = () =>
      behind
        .transaction(300, (db) => db.query(rewrite, []))
        .then(
          () => true,
          () => false,
        );
    await until(isWritten, soon);
    expect(await failed).toBeInstanceOf(Unavailable);
    await behind.close();
    await proxy.close();
    // Announcements arrive from the new primary, so caches are used again.
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
  });

  test('does not use a former primary that starts again, whichever host is named first and answers first', async () => {
    const { primary, standby } = clusters;
    await primary.start();
    const [former, promoted] = [primary, standby].map(({ url }) => new URL(url).host) as [string, string];
    for (const hosts of [`${former},${promoted}`, `${promoted},${former}`])
      expect(await primaryUrl(primary.url.replace(former, hosts))).toBe(standby.url);
    await using started = await serve({
      DATA_DIR: newFolder(),
      DATABASE_URL: primary.url.replace(former, `${former},${promoted}`),
    });
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'`;
    for (const cluster of [primary, standby]) await cluster.query(end);
    for (const { url } of [server, started]) {
      const folder = { 'entity-type': 'document', type: 'Folder', name: `after-${new URL(url).port}` };
      const created = async () =>
        (await ask(url, '/api/v1/path/', { method: 'POST', body: JSON.stringify(folder) })).status;
      await until(async () => [201, 409].includes(await created()), soon);
    }
    const made = `SELECT count(*)::int AS count FROM document WHERE name LIKE 'after-%'`;
    expect([await standby.query(made), await primary.query(made)]).toEqual([[{ count: 2 }], [{ count: 0 }]]);
    expect(started.printed.err).toMatch(
      `${former} accepts writes, although the current primary ${promoted} was promoted later`,
    );
  });
});
