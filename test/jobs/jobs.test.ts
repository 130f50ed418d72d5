import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { daily } from '../../src/jobs/daily.ts';
import { startJobs } from '../../src/jobs/index.ts';
import { start, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.stop());

const never = () => {
  throw new Error('nobody should be told');
};

describe('The jobs', () => {
  test('begin at once, each on its own', async () => {
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
    while (Object.keys(done).length < 5) await setTimeout(5);
    await stop();
    expect(done).toEqual({
      ...{ 'sweep blobs': 1, 'forget ACLs': 0, 'forget answers': 0, 'forget log entries': 0 },
      'forget uploads': 0,
    });
  });

  test('fail on their own', async () => {
    const failing = { ...server.blobs, sweep: () => Promise.reject(new Error('the disk is gone')) };
    const told: string[] = [];
    const stop = startJobs(
      { ...server, blobs: failing },
      {
        onDone: (job) => told.push(job),
        onError: (job, error) => told.push(`${job}: ${String(error)}`),
      },
    );
    while (told.length < 5) await setTimeout(5);
    await stop();
    expect(told.sort()).toEqual([
      ...['forget ACLs', 'forget answers', 'forget log entries', 'forget uploads'],
      'sweep blobs: Error: the disk is gone',
    ]);
  });
});

describe('Daily work', () => {
  test('that is under way is waited for, and told that it is to end', async () => {
    let isOver = false;
    const stop = daily(
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
