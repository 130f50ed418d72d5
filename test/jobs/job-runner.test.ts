/** @group every-database */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Final, type JobKind, startJobRunner } from '../../src/jobs/job-runner.ts';
import { enqueueJobs, type NewJob } from '../../src/store/queue/enqueue-jobs.ts';
import { takeJobs } from '../../src/store/queue/take-jobs.ts';
import { useServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const server = useServer();
const stops: Array<() => Promise<void>> = [];

beforeEach(async () => {
  await server.database.prisma.job.deleteMany();
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const enqueue = (...jobs: Array<Omit<NewJob, 'kind'>>) =>
  enqueueJobs(
    { db: server.database },
    jobs.map((job) => ({ kind: 'test', ...job })),
  );

const rows = () => server.database.prisma.job.findMany({ orderBy: { id: 'asc' } });

function work(run: JobKind['run'], kind: Partial<JobKind> = {}): () => Promise<void> {
  const stop = startJobRunner({
    database: server.database,
    kinds: [{ name: 'test', maxConcurrent: 4, delays: [60], run, ...kind }],
    interval: 50,
    onDone: () => {},
    onError: () => {},
  });
  stops.push(stop);
  return stop;
}

const payloadOf = ({ payload }: { readonly payload: unknown }) => (payload as { n: number }).n;
const numbered = (count: number, key?: string) =>
  Array.from({ length: count }, (_, n) => ({ payload: { n }, ...(key !== undefined && { key }) }));

describe('a job runner', () => {
  test('runs each job once, with others beside it, and no more of a kind at a time than it says', async () => {
    const ran: number[] = [];
    let [here, most] = [0, 0];
    const run = async (job: { readonly payload: unknown }) => {
      here += 1;
      most = Math.max(most, here);
      await new Promise(setImmediate);
      ran.push(payloadOf(job));
      here -= 1;
      return 1;
    };
    work(run, { maxConcurrent: 1 });
    work(run, { maxConcurrent: 1 });
    await enqueue(...numbered(20));
    await until(async () => (await rows()).length === 0);
    expect(ran.sort((a, b) => a - b)).toEqual(numbered(20).map(payloadOf));
    expect(most).toBeLessThanOrEqual(2);
  });

  test('runs jobs of one key in their order', async () => {
    const ran: number[] = [];
    for (let count = 0; count < 2; count += 1)
      work(async (job) => {
        await new Promise(setImmediate);
        return ran.push(payloadOf(job));
      });
    await enqueue(...numbered(12, 'a'));
    await until(async () => (await rows()).length === 0);
    expect(ran).toEqual(numbered(12).map(payloadOf));
  });

  test('runs nothing of a transaction that is rolled back', async () => {
    const ran: number[] = [];
    work(async (job) => ran.push(payloadOf(job)));
    const aborted = server.database.transaction(10, async (db) => {
      await enqueueJobs({ db }, [{ kind: 'test', payload: { n: 1 } }]);
      throw new Error('no');
    });
    await expect(aborted).rejects.toThrow('no');
    await enqueue({ payload: { n: 2 } });
    await until(() => ran.length > 0);
    expect(ran).toEqual([2]);
  });

  test('tries again later what fails, before what follows it, and then sets it aside', async () => {
    const ran: number[] = [];
    work(async (job) => {
      ran.push(payloadOf(job));
      if (payloadOf(job) === 0) throw new Error('not now');
      return undefined;
    });
    await enqueue(...numbered(2, 'a'));
    await until(async () => (await rows())[0]?.error === 'not now');
    expect(await rows()).toMatchObject([
      { state: 'waiting', attempts: 1 },
      { state: 'waiting', attempts: 0 },
    ]);
    await server.database.prisma.job.updateMany({ data: { runAt: new Date(0) } });
    await until(async () => (await rows()).length === 1);
    expect(await rows()).toMatchObject([{ state: 'set-aside', attempts: 2, error: 'not now' }]);
    expect(ran).toEqual([0, 0, 1]);
  });

  test('sets aside at once what can only fail', async () => {
    work(() => Promise.reject(new Final('never')));
    await enqueue({ payload: { n: 1 } });
    await until(async () => (await rows())[0]?.state === 'set-aside');
    expect(await rows()).toMatchObject([{ attempts: 1, error: 'never' }]);
  });

  test('takes over the jobs of one that died, whose late word counts for nothing', async () => {
    await enqueue({ payload: { n: 1 } });
    expect(await takeJobs(server.database, new Map([['test', 5]]))).toMatchObject([{ attempts: 1 }]);
    expect(await takeJobs(server.database, new Map([['test', 5]]))).toEqual([]);
    await server.database.prisma.job.updateMany({ data: { runAt: new Date(0) } });
    const ran: number[] = [];
    work(async ({ attempts }) => ran.push(attempts));
    await until(async () => (await rows()).length === 0);
    expect(ran).toEqual([2]);
  });

  test('does not take a job again that it is at, when the lease could not be renewed in time', async () => {
    const ran: number[] = [];
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    work(async (job) => {
      ran.push(payloadOf(job));
      if (payloadOf(job) === 1) await released;
      return undefined;
    });
    await enqueue({ payload: { n: 1 } });
    await until(() => ran.length === 1);
    await server.database.prisma.job.updateMany({ data: { runAt: new Date(0) } });
    await enqueue({ payload: { n: 2 } });
    await until(async () => (await rows()).length === 1);
    await enqueue({ payload: { n: 3 } });
    await until(async () => (await rows()).length === 1 && ran.includes(3));
    release();
    await until(async () => (await rows()).length === 0);
    expect(ran).toEqual([1, 2, 3]);
  });

  test('sets aside a job that ends each process that runs it', async () => {
    await enqueue({ payload: { n: 1 } });
    await server.database.prisma.job.updateMany({ data: { attempts: 4 } });
    const ran: number[] = [];
    work(async () => ran.push(1));
    await until(async () => (await rows())[0]?.state === 'set-aside');
    expect(ran).toEqual([]);
  });

  test('gives back what it is at when it stops', async () => {
    let began = false;
    const stop = work((_, signal) => {
      began = true;
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new Error('stopped'))),
      );
    });
    await enqueue({ payload: { n: 1 } });
    await until(() => began);
    await stop();
    expect(await rows()).toMatchObject([{ state: 'waiting', attempts: 0, error: null }]);
  });
});
