import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { runDaily } from '../../src/jobs/daily.ts';
import { startJobs } from '../../src/jobs/index.ts';
import { useServer } from '../support/server.ts';

const server = useServer();

const never = () => {
  throw new Error('nobody should be told');
};

describe('the jobs', () => {
  test('start at once and independently', async () => {
    const left = join(server.dataDir, 'blobs', 'unfinished', 'left');
    await writeFile(left, 'half');
    const then = new Date(Date.now() - 2 * 86_400_000);
    await utimes(left, then, then);
    const done: Record<string, number> = {};
    const stop = startJobs(server, {
      onDone: (job, gone) => {
        done[job] = gone;
      },
      onError: never,
    });
    while (Object.keys(done).length < 7) await setTimeout(5);
    await stop();
    expect(done).toEqual({
      'sweep blobs': 1,
      'forget ACLs': 0,
      'forget answers': 0,
      'forget executions': 0,
      'forget log entries': 0,
      'forget mails': 0,
      'forget uploads': 0,
    });
  });

  test('fail independently', async () => {
    const failing = { ...server.blobs, sweep: () => Promise.reject(new Error('the disk is gone')) };
    const told: string[] = [];
    const stop = startJobs(
      { ...server, blobs: failing },
      {
        onDone: (job) => told.push(job),
        onError: (job, error) => told.push(`${job}: ${String(error)}`),
      },
    );
    while (told.length < 7) await setTimeout(5);
    await stop();
    expect(told.sort()).toEqual([
      'forget ACLs',
      'forget answers',
      'forget executions',
      'forget log entries',
      'forget mails',
      'forget uploads',
      'sweep blobs: Error: the disk is gone',
    ]);
  });
});

describe('runDaily', () => {
  test('signals its running work to stop, and waits for it', async () => {
    let isOver = false;
    const stop = runDaily(
      async (isStopping) => {
        while (!isStopping()) await setTimeout(5);
        isOver = true;
        throw new Error('ended early');
      },
      { onDone: never, onError: never },
    );
    await stop();
    expect(isOver).toBe(true);
  });
});
