/** @group every-database */
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Client } from '../../../src/db/database.ts';
import type { Statement } from '../../../src/db/statement.ts';
import {
  deleteOldJobs,
  postponeJob,
  setJobAside,
  type TakenJob,
  takeJobs,
} from '../../../src/store/queue/take-jobs.ts';
import { useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { untilWaiting } from '../../support/until-waiting.ts';
import { plansOf, visitedRows } from '../../support/visited-rows.ts';

const server = useServer();
const count = 20_000;

const run = (text: string) => server.database.query({ name: '', text }, []);

beforeEach(() => run('TRUNCATE job'));

/** Writes many jobs that are due, all at once. */
async function lay(columns: string, values: string): Promise<void> {
  await run(`INSERT INTO job (kind, run_at, ${columns})
    SELECT 'test', now() - n * interval '1 ms', ${values} FROM generate_series(1, ${count}) n`);
  await run('ANALYZE job');
}

/** The plans of taking, and its statement is not run but by them. */
async function takingPlans(most: number) {
  let asked: [Statement, readonly unknown[]] | undefined;
  const query: Client['query'] = async (...sent) => {
    asked = sent;
    return [];
  };
  await takeJobs(
    { query },
    new Map([
      ['test', most],
      ['other', 3],
    ]),
  );
  return plansOf(server.database, asked?.[0] ?? { name: '', text: '' }, asked?.[1] ?? []);
}

const take = (most = 1) => takeJobs(server.database, new Map([['test', most]]));
const ended = () => server.database.prisma.job.updateMany({ data: { runAt: new Date(0) } });
const rows = () => server.database.prisma.job.findMany({ orderBy: { id: 'asc' } });

describe('taking jobs reads no more jobs than it takes', () => {
  test('when many jobs wait', async () => {
    await lay('payload', `'{}'`);
    for (const plan of await takingPlans(5)) {
      expect(visitedRows(plan, 'job')).toBeLessThan(60);
      expect(plan.some((node) => /run_at <=/.test(node['Index Cond'] ?? ''))).toBe(true);
    }
    const taken = await take(5);
    expect(taken.map(({ id }) => Number(id)).toSorted((a, b) => a - b)).toEqual(
      (await rows()).slice(-5).map(({ id }) => Number(id)), // the oldest
    );
  });

  test('when many jobs wait for others of their keys or are set aside', async () => {
    await lay('key, state', `n % 4, CASE WHEN n % 3 = 0 THEN 'set-aside' ELSE 'waiting' END`);
    for (const plan of await takingPlans(3)) expect(visitedRows(plan, 'job')).toBeLessThan(100);
    const taken = await take(9);
    expect(taken.map(({ key }) => key).toSorted()).toEqual(['0', '1', '2', '3']);
    expect(await take(9)).toEqual([]);
  });

  test('when many jobs run, and it takes those whose lease has ended', async () => {
    await lay('state', `'running'`);
    await run(`UPDATE job SET run_at = now() + interval '20 s' WHERE id > (SELECT min(id) + 2 FROM job)`);
    await run('ANALYZE job');
    for (const plan of await takingPlans(5)) expect(visitedRows(plan, 'job')).toBeLessThan(60);
    expect(await take(5)).toHaveLength(3);
  });
});

describe('jobs of one key', () => {
  const insert = `INSERT INTO job (kind, key) VALUES ('test', 'a')`;
  /** Two, of which the second one is committed first; the first one is committed at the end of the work. */
  const committedInTurn = (work: () => Promise<void>) =>
    server.database.transaction(60, async (first) => {
      await first.query({ name: '', text: insert }, []);
      await run(insert);
      await work();
    });

  test('do not run while one runs that was written later and committed earlier', async () => {
    let second: TakenJob | undefined;
    await committedInTurn(async () => {
      [second] = await take();
    });
    expect(Number(second?.id)).toBe(Number((await rows())[1]?.id));
    expect(await take(5)).toEqual([]);
    await ended();
    expect(await take(5)).toMatchObject([{ id: second?.id, attempts: 2 }]);
    await run(`DELETE FROM job WHERE state = 'running'`);
    expect(await take(5)).toHaveLength(1);
  });

  test('do not run together when both are taken at the same time', async () => {
    let taken: TakenJob[] = [];
    let taking: Promise<{ readonly beside: Promise<TakenJob[]> }> | undefined;
    await committedInTurn(async () => {
      taking = server.database.transaction(60, async (db) => {
        taken = await takeJobs(db, new Map([['test', 1]]));
        await until(async () => (await rows()).length === 2);
        const beside = take(5);
        await untilWaiting(server.database, 1);
        return { beside };
      });
      await until(() => taken.length === 1);
    });
    expect(await (await taking)?.beside).toEqual([]);
    expect((await rows()).map(({ state }) => state)).toEqual(['waiting', 'running']);
  });

  test('are found among those that wait behind one that runs', async () => {
    await lay('key', 'n % 4');
    await take(3);
    await run('ANALYZE job');
    for (const plan of await takingPlans(3)) expect(visitedRows(plan, 'job')).toBeLessThan(100);
  });
});

describe('a taken job', () => {
  test('is not taken again by the runner that still runs it after its lease has ended', async () => {
    await run(`INSERT INTO job (kind, key) VALUES ('test', NULL), ('test', 'a')`);
    const taken = await take(5);
    expect(taken).toHaveLength(2);
    await ended();
    const ids = taken.map(({ id }) => id);
    expect(await takeJobs(server.database, new Map([['test', 5]]), ids)).toEqual([]);
    expect(await take(5)).toHaveLength(2);
  });

  test('no longer belongs to an earlier runner, even if its attempts were reset', async () => {
    await run(`INSERT INTO job (kind) VALUES ('test')`);
    const [late] = await take();
    await ended();
    const [second] = await take();
    if (!late || !second) throw new Error('none was taken');
    await postponeJob(server.database, second, { seconds: 0, attempts: 0, error: null });
    const [third] = await take();
    expect(third?.attempts).toBe(late.attempts);
    await postponeJob(server.database, late, { seconds: 60, attempts: 1, error: 'late' });
    expect(await rows()).toMatchObject([{ state: 'running', error: null }]);
  });

  test('is deleted 30 days after it was set aside, whenever it was written', async () => {
    await run(`INSERT INTO job (kind, created_at) VALUES ('test', now() - interval '60 days')`);
    const [job] = await take();
    if (!job) throw new Error('none was taken');
    await setJobAside(server.database, job, 'it failed');
    expect(await deleteOldJobs(server.database, 30)).toBe(0);
    await run(`UPDATE job SET run_at = now() - interval '31 days'`);
    expect(await deleteOldJobs(server.database, 30)).toBe(1);
  });
});
