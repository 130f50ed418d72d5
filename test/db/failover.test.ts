import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type Cluster, type Replicated, startReplicated } from '../support/cluster.ts';
import { newFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';
import { ask, type RunningServer, serve } from './processes.ts';

jest.setTimeout(240_000);

/** The seconds within which writes are back. */
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
  test('the one that takes writes is used, whichever is named first', async () => {
    expect([await write(), await read()]).toEqual([201, 200]);
  });

  test('connections end when the server takes no writes any more, and come back', async () => {
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

  test('a standby that is promoted takes the place of a primary that was killed', async () => {
    await replayed(clusters);
    await clusters.primary.kill();
    const statuses = await Promise.all([write(), read()]);
    expect(statuses).toEqual([503, 503]);
    await clusters.standby.query('SELECT pg_promote()');
    await until(async () => (await write()) === 201, soon);
    expect([await read(), await read('written-1')]).toEqual([200, 200]);
    // Word of changes arrives from the new one: what is remembered is right again.
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
  });
});
