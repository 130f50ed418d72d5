/** @group slow */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../src/db/database.ts';
import { ask, type RunningServer, serve } from '../db/processes.ts';
import { emptyDatabase } from '../support/database.ts';
import { newFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';

let database: Database;
let server: RunningServer;
beforeAll(async () => {
  const { url, database: made } = await emptyDatabase();
  database = made;
  server = await serve({ DATA_DIR: newFolder(), DATABASE_URL: url, WORKERS: '2', LOG_LEVEL: 'info' });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await database.close();
});

/** On a connection of its own, which may be that of a worker that has been stopped. */
const metrics = () =>
  ask(server.url, '/metrics', { headers: { connection: 'close' }, signal: AbortSignal.timeout(8_000) });
const becomes = (status: number) =>
  until(async () => (await metrics().catch(() => undefined))?.status === status, 100_000);
const counted = async (): Promise<number> => {
  const text = await (await metrics()).text();
  return [...text.matchAll(/^http_request_duration_seconds_count\{.*\} (\d+)$/gm)]
    .map(([, count]) => Number(count))
    .reduce((sum, count) => sum + count, 0);
};
const rename = (from: string, to: string) =>
  database.query({ name: '', text: `ALTER TABLE ${from} RENAME TO ${to}` }, []);

test('/metrics is 503 while a worker cannot tell its own: sums that fall are taken for traffic', async () => {
  await rename('job', 'job_away');
  const response = await metrics();
  await rename('job_away', 'job');
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ message: 'A worker did not send its metrics.' });
  await becomes(200);
});

(process.platform === 'win32' ? test.skip : test)('/metrics is 503 while a worker is silent', async () => {
  const pids = new Set<number>();
  await until(async () => {
    await metrics();
    for (const [, pid] of server.printed.out.matchAll(/"pid":(\d+)[^\n]*"req":\{/g)) pids.add(Number(pid));
    return pids.size === 2;
  });
  const before = await counted();
  const [stopped = 0] = pids;
  process.kill(stopped, 'SIGSTOP');
  await becomes(503).finally(() => process.kill(stopped, 'SIGCONT'));
  await becomes(200);
  expect(await counted()).toBeGreaterThan(before);
});
