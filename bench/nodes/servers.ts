import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { s3Environment, startS3Server } from '../../test/support/s3-server.ts';
import { atEnd } from '../closing.ts';
import { type Cluster, execute, startCluster } from '../postgres.ts';
import { freePort } from '../processes.ts';
import { startHaproxy } from './haproxy.ts';
import { createNode, type Node } from './node.ts';

const replicaName = 'replica';

/** Makes commits wait for the replica, or stop waiting for it, as replication monitoring tools do. */
export async function setSynchronous({ url }: Cluster, isOn: boolean): Promise<void> {
  await execute(url, `ALTER SYSTEM SET synchronous_standby_names = '${isOn ? replicaName : ''}'`);
  await execute(url, 'SELECT pg_reload_conf()');
}

export async function untilStreaming({ url }: Cluster): Promise<void> {
  while ((await execute(url, `SELECT FROM pg_stat_replication WHERE state = 'streaming'`)).length === 0)
    await wait(100);
}

/**
 * Reads the position up to which a replica has replayed the write-ahead log, in the same unit as the positions in
 * cookies.
 */
export async function replicaPosition({ url }: Pick<Cluster, 'url'>): Promise<string> {
  const query = `SELECT (coalesce(pg_last_wal_replay_lsn(), pg_current_wal_lsn()) - '0/0')::text AS position`;
  const [row] = (await execute(url, query).catch(() => [])) as Array<{ position: string }>;
  return row?.position ?? 'an unknown position, because it does not respond';
}

export interface Servers {
  readonly primary: Cluster;
  readonly replica: Cluster;
  readonly nodes: readonly Node[];
  /** The URL of the load balancer. */
  readonly url: string;
}

async function startDatabases(): Promise<Pick<Servers, 'primary' | 'replica'>> {
  const settings = {
    shared_preload_libraries: 'pg_stat_statements',
    wal_keep_size: '512MB',
    max_connections: '300',
  };
  const primary = await startCluster({ settings });
  await execute(primary.url, 'CREATE EXTENSION pg_stat_statements');
  const replica = await startCluster({ settings, replica: { of: primary, name: replicaName } });
  await untilStreaming(primary);
  await setSynchronous(primary, true);
  return { primary, replica };
}

/**
 * Starts three nodes with two workers each behind HAProxy. They use the given databases and an S3 server.
 */
export async function startNodes(
  databases: Readonly<Record<'DATABASE_URL' | 'DATABASE_REPLICA_URLS', string>>,
): Promise<Pick<Servers, 'nodes' | 'url'>> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const s3 = await startS3Server(join(folder, 's3'));
  atEnd(async () => s3[Symbol.asyncDispose]());
  const ports = await Promise.all([freePort(), freePort(), freePort()]);
  const nodes = ports.map((port) =>
    createNode(port, {
      ...s3Environment,
      ...databases,
      DATA_DIR: join(folder, `node-${port}`),
      BLOB_STORE: s3.address('nodes'),
      TOKEN_KEY: 'a key that all nodes of the benchmark share',
      WORKERS: '2',
      DRAIN_SECONDS: '3',
      LOG_LEVEL: 'info',
    }),
  );
  for (const node of nodes) await node.start();
  return { nodes, url: await startHaproxy(folder, ports) };
}

/** Starts nodes that use a PostgreSQL server with a replica. */
export async function startServers(): Promise<Servers> {
  const { primary, replica } = await startDatabases();
  const hosts = [primary, replica].map(({ url }) => new URL(url).host).join(',');
  const nodes = await startNodes({
    DATABASE_URL: `${primary.url.replace(/@[^/]*/, `@${hosts}`)}?target_session_attrs=read-write`,
    DATABASE_REPLICA_URLS: replica.url,
  });
  return { primary, replica, ...nodes };
}
