/** @group slow */
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { createDatabase, type Database } from '../../../src/db/database.ts';
import { newMeter } from '../../../src/db/meter.ts';
import { connectServer } from '../../../src/db/postgres-server.ts';
import type { Carried } from '../../../src/db/replicas/position.ts';
import { createReads } from '../../../src/db/replicas/reads.ts';
import { type Replicated, startReplicated } from '../../support/cluster.ts';
import { newFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';
import { ask, type RunningServer, serve } from '../processes.ts';

jest.setTimeout(240_000);

let clusters: Replicated;
let nodes: RunningServer[];
/** The URLs, on the primary and on the standby, of a role that can be denied the position of the log. */
let [url, replicaUrl] = ['', ''];
beforeAll(async () => {
  clusters = await startReplicated();
  await clusters.primary.query(`CREATE ROLE plain LOGIN PASSWORD 'plain'`);
  await clusters.primary.query('CREATE DATABASE plain OWNER plain');
  [url, replicaUrl] = [clusters.primary, clusters.standby].map(
    (cluster) => `postgresql://plain:plain@${new URL(cluster.url).host}/plain`,
  ) as [string, string];
  const settings = { DATA_DIR: newFolder(), DATABASE_URL: url, DATABASE_REPLICA_URLS: replicaUrl };
  nodes = [await serve(settings), await serve(settings)];
  const folder = { 'entity-type': 'document', type: 'Folder', name: 'folder' };
  expect((await send('POST', '/api/v1/path/', folder)).status).toBe(201);
  for (const node of [0, 1]) await until(() => isReadOnReplica(node), 60_000);
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()));
  await clusters[Symbol.asyncDispose]();
});

const urlOf = (node: number): string => nodes[node]?.url ?? '';

const send = (method: string, path: string, body: object): Promise<Response> =>
  ask(urlOf(0), path, { method, body: JSON.stringify(body) });

const rename = (title: string): Promise<Response> =>
  send('PUT', '/api/v1/path/folder', { 'entity-type': 'document', properties: { 'dc:title': title } });

async function read(node: number, cookie = ''): Promise<{ title: string; cookie: string }> {
  const answer = await ask(urlOf(node), '/api/v1/path/folder', { headers: { cookie } });
  const [set = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
  return { title: ((await answer.json()) as { title: string }).title, cookie: set };
}

async function replicaReads(node: number): Promise<number> {
  const text = await (await ask(urlOf(node), '/metrics')).text();
  const { host } = new URL(replicaUrl);
  return Number(new RegExp(`^database_reads_total\\{server="${host}"\\} (.*)$`, 'm').exec(text)?.[1]);
}

async function isReadOnReplica(node: number, cookie?: string): Promise<boolean> {
  const before = await replicaReads(node);
  await read(node, cookie);
  return (await replicaReads(node)) === before + 1;
}

/** Sets whether the role may read the position of the primary's log. */
async function permit(isPermitted: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: clusters.primary.url.replace(/[^/]*$/, 'plain') });
  await client.connect();
  await client.query(
    `${isPermitted ? 'GRANT EXECUTE' : 'REVOKE EXECUTE'} ON FUNCTION pg_current_wal_insert_lsn()
     ${isPermitted ? 'TO' : 'FROM'} PUBLIC`,
  );
  await client.end();
}

const unknown = 'quire-position=999999999999999-';

describe('§8 a position that the primary could not be asked for', () => {
  test('keeps its caller from replicas on each node until the primary reports a position', async () => {
    await clusters.standby.query('SELECT pg_wal_replay_pause()');
    await permit(false);
    const written = await rename('later');
    expect(written.status).toBe(200);
    const [cookie = ''] = (written.headers.get('set-cookie') ?? '').split(';');
    expect(cookie).toMatch(new RegExp(`^${unknown}\\d+$`));
    await until(async () => (await read(1)).title === 'later');
    expect((await read(1)).cookie).toContain(unknown);
    await permit(true);
    const told = await read(1, cookie);
    expect(told.title).toBe('later');
    expect(told.cookie).toMatch(/^quire-position=\d{1,14}-\d+$/);
    await clusters.standby.query('SELECT pg_wal_replay_resume()');
    // The caller keeps reading with the cookie of the last answer.
    for (const node of [0, 1]) await until(() => isReadOnReplica(node, told.cookie), 30_000);
  });

  test('keeps a caller whose position was evicted from replicas only until the primary reports a position', async () => {
    const primary: Database = createDatabase(connectServer(url, 300), (opened) =>
      createReads(opened, new Map([['there', createDatabase(connectServer(replicaUrl, 300))]])),
    );
    const { reads } = primary;
    const isReplica = (user: string): Promise<boolean> =>
      reads.run(newMeter(), { user }, async (db) => db.replica !== undefined);
    await until(() => isReplica('somebody'));
    await permit(false);
    const carried: Carried = {};
    await reads.wrote({ user: 'first', carried });
    expect(carried.position?.lsn).toBe(999_999_999_999_999);
    await permit(true);
    const others = Array.from({ length: 10_000 }, (_, index) => `other-${index}`);
    await Promise.all(others.map((user) => reads.wrote({ user })));
    // The position that was evicted last was unknown.
    await until(() => isReplica('first'), 30_000);
    await until(() => isReplica('new'), 30_000);
    await primary.close();
  });
});
