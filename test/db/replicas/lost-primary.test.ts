/** @group slow */
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createDatabase } from '../../../src/db/database.ts';
import { connectServer } from '../../../src/db/postgres-server.ts';
import { type Replicated, startReplicated } from '../../support/cluster.ts';
import { newFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';
import { ask, type RunningServer, serve } from '../processes.ts';
import { openProxy, type SilentProxy } from '../silent-proxy.ts';

jest.setTimeout(240_000);

let clusters: Replicated;
/** The proxy in front of the primary. */
let proxy: SilentProxy;
let node: RunningServer;
beforeAll(async () => {
  clusters = await startReplicated();
  proxy = await openProxy(clusters.primary.url);
  const { host } = new URL(proxy.url);
  node = await serve({
    DATA_DIR: newFolder(),
    DATABASE_URL: proxy.url.replace(host, `${host},${new URL(clusters.standby.url).host}`),
    DATABASE_REPLICA_URLS: clusters.standby.url,
  });
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
  await proxy.close();
  await clusters[Symbol.asyncDispose]();
});

const read = async (): Promise<number> => (await ask(node.url, '/api/v1/path/default-domain')).status;

async function replicaReads(): Promise<number> {
  const text = await (await ask(node.url, '/metrics')).text();
  const { host } = new URL(clusters.standby.url);
  return Number(new RegExp(`^database_reads_total\\{server="${host}"\\} (.*)$`, 'm').exec(text)?.[1]);
}

describe('§8 reads while no host takes writes', () => {
  test('do not wait for a host that is known to be silent', async () => {
    await until(async () => {
      const before = await replicaReads();
      await read();
      return (await replicaReads()) > before;
    }, 60_000);
    proxy.vanish();
    const write = () =>
      ask(node.url, '/api/v1/path/', {
        method: 'POST',
        body: JSON.stringify({ 'entity-type': 'document', type: 'Folder', name: 'never' }),
      });
    await until(async () => (await write()).status === 503 && (await read()) === 200, 40_000);
    const began = performance.now();
    for (let count = 0; count < 20; count += 1) expect(await read()).toBe(200);
    // Each would otherwise have waited two seconds for the silent host.
    expect(performance.now() - began).toBeLessThan(15_000);
    proxy.comeBack();
    await until(async () => (await write()).status === 201, 30_000);
  });

  test('do not go to a replica only because the primary has no free connection', async () => {
    const { primary, standby } = clusters;
    await primary.query(`CREATE ROLE crowded LOGIN PASSWORD 'crowded' CONNECTION LIMIT 0`);
    const host = new URL(primary.url).host;
    for (const hosts of [host, `${host},${new URL(standby.url).host}`]) {
      const database = createDatabase(connectServer(`postgresql://crowded:crowded@${hosts}/postgres`, 300));
      await expect(database.query({ name: '', text: 'SELECT 1' }, [])).rejects.toMatchObject({
        code: '53300',
      });
      expect(await database.isLost()).toBe(false);
      await database.close();
    }
    await primary.stop();
    const away = createDatabase(connectServer(primary.url, 300));
    await expect(away.query({ name: '', text: 'SELECT 1' }, [])).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
    expect(await away.isLost()).toBe(true);
    await away.close();
  });
});
