import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { startJobs } from '../../src/jobs/index.ts';
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
  'forget-executions',
  'forget-file-words',
  'forget-jobs',
  'forget-log-entries',
  'forget-mails',
  'forget-renditions',
  'forget-uploads',
  'sweep-blobs',
];

/** Begins with each start. */
const trigger = 'turn-webhook-trigger';

describe('the daily jobs', () => {
  test('run at the first start, and once a day whatever the number of processes', async () => {
    const left = join(server.dataDir, 'blobs', 'unfinished', 'left');
    await writeFile(left, 'half');
    const then = new Date(Date.now() - 2 * 86_400_000);
    await utimes(left, then, then);
    const done: Array<[string, number | undefined]> = [];
    const onDone = (kind: string, count: number | undefined) => {
      if (kind !== trigger) done.push([kind, count]);
    };
    const stops = await Promise.all([0, 1].map(() => startJobs(server, { onDone, onError: never })));
    await until(() => done.length === sweeps.length);
    for (const stop of stops) await stop();
    await (await startJobs(server, { onDone, onError: never }))();
    expect(done.sort()).toEqual(sweeps.map((kind) => [kind, kind === 'sweep-blobs' ? 1 : 0]));
    const rows = await server.database.prisma.job.findMany({
      where: { kind: { not: trigger } },
      orderBy: { kind: 'asc' },
    });
    expect(rows.map(({ kind }) => kind)).toEqual(sweeps);
    for (const { runAt } of rows) expect(Number(runAt)).toBeGreaterThan(Date.now() + 86_000_000);
  });

  test('run one at a time in a process, although they are due together', async () => {
    let release = () => {};
    const swept = new Promise<number>((resolve) => {
      release = () => resolve(0);
    });
    const done: string[] = [];
    const stop = await startJobs(
      { ...server, blobs: { ...server.blobs, sweep: () => swept } },
      { onDone: (kind) => kind !== trigger && done.push(kind), onError: never },
    );
    const { job } = server.database.prisma;
    await until(async () => (await job.count({ where: { state: 'running' } })) === sweeps.length);
    expect(done).toEqual([]);
    release();
    await until(() => done.length === sweeps.length);
    expect(done[0]).toBe('sweep-blobs');
    await stop();
  });

  test('fail independently, are tried again in an hour, and never set aside', async () => {
    const blobs = { ...server.blobs, sweep: () => Promise.reject(new Error('the disk is gone')) };
    const seen: string[] = [];
    const stop = await startJobs(
      { ...server, blobs },
      {
        onDone: (kind) => seen.push(kind),
        onError: (kind, error) => seen.push(`${kind}: ${String(error)}`),
      },
    );
    await until(() => seen.length === sweeps.length + 1);
    await stop();
    expect(seen).toContain('sweep-blobs: Error: the disk is gone');
    const [row] = await server.database.prisma.job.findMany({ where: { kind: 'sweep-blobs' } });
    expect(row).toMatchObject({ state: 'waiting', error: 'the disk is gone' });
    expect(Number(row?.runAt)).toBeGreaterThan(Date.now() + 3_500_000);
  });
});
