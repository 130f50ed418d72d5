/** @group slow */

import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Client, Database } from '../../src/db/database.ts';
import { startJobs } from '../../src/jobs/index.ts';
import { sweepKinds } from '../../src/jobs/kinds/sweeps.ts';
import { useServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const server = useServer();

beforeEach(async () => {
  await server.database.prisma.job.deleteMany();
});

const never = (_kind: string, error: unknown) => {
  throw error;
};

const sweeps = [
  'forget-acls',
  'forget-answers',
  'forget-bulk-actions',
  'forget-conversions',
  'forget-devices',
  'forget-executions',
  'forget-file-words',
  'forget-guest-codes',
  'forget-identity-sessions',
  'forget-jobs',
  'forget-log-entries',
  'forget-mails',
  'forget-renditions',
  'forget-sessions',
  'forget-title-words',
  'forget-uploads',
  'sweep-blobs',
];

/** These run at each start, every minute, or do not delete anything. */
const others = ['count-storage', 'find-digests', 'find-notified', 'turn-webhook-trigger'];

describe('the daily jobs', () => {
  test('run at the first start, and once a day whatever the number of processes', async () => {
    const left = join(server.dataDir, 'blobs', 'unfinished', 'left');
    await writeFile(left, 'half');
    const then = new Date(Date.now() - 2 * 86_400_000);
    await utimes(left, then, then);
    const done: Array<[string, number | undefined]> = [];
    const onDone = (kind: string, count: number | undefined) => {
      if (!others.includes(kind)) done.push([kind, count]);
    };
    const stops = await Promise.all([0, 1].map(() => startJobs(server.services, { onDone, onError: never })));
    await until(() => done.length === sweeps.length);
    for (const stop of stops) await stop();
    await (await startJobs(server.services, { onDone, onError: never }))();
    expect(done.sort()).toEqual(sweeps.map((kind) => [kind, kind === 'sweep-blobs' ? 1 : 0]));
    const rows = await server.database.prisma.job.findMany({
      where: { kind: { notIn: others } },
      orderBy: { kind: 'asc' },
    });
    expect(rows.map(({ kind }) => kind)).toEqual(sweeps);
    for (const { runAt } of rows) expect(Number(runAt)).toBeGreaterThan(Date.now() + 86_000_000);
  });

  test('run one at a time in a process, although they are due together', async () => {
    let [now, most] = [0, 0];
    const query: Client['query'] = async (...asked) => {
      now += 1;
      most = Math.max(most, now);
      return server.database.query(...asked).finally(() => {
        now -= 1;
      });
    };
    const database = Object.assign(Object.create(server.database), { query }) as Database;
    const job = { id: '1', kind: '', key: null, payload: {}, attempts: 1, fence: 1 };
    const { signal } = new AbortController();
    const kinds = sweepKinds({ ...server.services, database });
    expect(await Promise.all(kinds.map(({ run }) => run(job, signal)))).toHaveLength(sweeps.length);
    expect(most).toBe(1);
  });

  test('fail independently, are tried again in an hour, and never set aside', async () => {
    const blobs = { ...server.blobs, sweep: () => Promise.reject(new Error('the disk is gone')) };
    const seen: string[] = [];
    const stop = await startJobs(
      { ...server.services, blobs },
      {
        onDone: (kind) => seen.push(kind),
        onError: (kind, error) => seen.push(`${kind}: ${String(error)}`),
      },
    );
    await until(() => seen.length === sweeps.length + others.length);
    await stop();
    expect(seen).toContain('sweep-blobs: Error: the disk is gone');
    const [row] = await server.database.prisma.job.findMany({ where: { kind: 'sweep-blobs' } });
    expect(row).toMatchObject({ state: 'waiting', error: 'the disk is gone' });
    expect(Number(row?.runAt)).toBeGreaterThan(Date.now() + 3_500_000);
  });
});
