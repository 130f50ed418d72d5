/** @group every-database, fallback */

import { expect, test } from '@jest/globals';
import { createDatabase, type Database } from '../../../src/db/database.ts';
import { connectServer } from '../../../src/db/postgres-server.ts';
import { executionJob } from '../../../src/store/executions/begin-execution.ts';
import { ask, kill, type RunningServer, serve, useProcessSettings } from '../../db/processes.ts';
import { authorization } from '../../support/administrator.ts';
import { isOnFallback } from '../../support/database.ts';
import { until } from '../../support/until.ts';

/** Files, some seconds of work. */
const many = isOnFallback ? 200 : 1_000;

const settings = useProcessSettings({ isStocked: true });

/** Begins an import of files into a new folder; the path of its status. */
async function begin({ url }: RunningServer, name: string, files: number): Promise<string> {
  const folder = JSON.stringify({ 'entity-type': 'document', type: 'Folder', name });
  expect((await ask(url, '/api/v1/path/', { method: 'POST', body: folder })).status).toBe(201);
  const form = new FormData();
  form.append('params', JSON.stringify({ context: { currentDocument: `/${name}` } }));
  for (let index = 0; index < files; index += 1) form.append('input', new Blob(['x']), `${index}.pdf`);
  const headers = { Authorization: authorization };
  const address = `${url}/api/v1/automation/FileManager.Import/@async`;
  const response = await fetch(address, { method: 'POST', body: form, headers });
  expect(response.status).toBe(202);
  return new URL(response.headers.get('location') ?? '').pathname;
}

/** Asks again while an execution holds the one connection of the fallback. */
const askOn: typeof ask = async (...request) => {
  const response = await ask(...request);
  return isOnFallback && response.status === 503 ? askOn(...request) : response;
};

const countIn = async ({ url }: RunningServer, name: string): Promise<number> => {
  const response = await askOn(url, `/api/v1/path/${name}/@children`);
  return ((await response.json()) as { resultsCount: number }).resultsCount;
};

async function statusOf({ url }: RunningServer, status: string): Promise<[number, string]> {
  const response = await askOn(url, status, { redirect: 'manual' });
  return [response.status, await response.text()];
}

async function expectDone(server: RunningServer, status: string, name: string, files: number): Promise<void> {
  await until(async () => (await statusOf(server, status))[0] === 303, 60_000);
  expect((await ask(server.url, status.replace(/\/status$/, ''))).status).toBe(200);
  expect(await countIn(server, name)).toBe(files);
}

/** Does some work in the database of the servers, where no process has it for itself. */
async function inDatabase<T>(work: (database: Database) => Promise<T>): Promise<T | undefined> {
  if (settings.DATABASE_URL === undefined) return undefined;
  const database = createDatabase(connectServer(settings.DATABASE_URL, 1));
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** The ends of the leases of jobs that run executions, of a database on a server. */
const leases = () =>
  inDatabase(async ({ prisma }) =>
    (await prisma.job.findMany({ where: { kind: executionJob } })).map(({ runAt }) => runAt),
  );

/** Ends these leases, and none that another process has taken since. */
const endLeases = (held: Date[] = []) =>
  inDatabase(async ({ prisma, announce }) => {
    const where = { kind: executionJob, runAt: { in: held } };
    await prisma.job.updateMany({ where, data: { runAt: new Date() } });
    await announce('jobs');
  });

test('§4.7 a server finishes its executions on SIGTERM, or the next one does them', async () => {
  await using first = await serve(settings);
  const status = await begin(first, 'stopped', 300);
  first.child.kill('SIGTERM');
  expect(await first.ended).toEqual({ code: 0, signal: null });
  await using second = await serve(settings);
  await expectDone(second, status, 'stopped', 300);
});

test('§4.7 an execution of a killed process has no effect until another process does it once', async () => {
  await using first = await serve(settings);
  const status = await begin(first, 'killed', many); // it lasts when the process is killed
  const response = await ask(first.url, status, { redirect: 'manual' });
  const asked = [response.status, response.status === 503 ? isOnFallback : await response.text()];
  // On a slow machine it may be over already: then its document is there once all the same.
  expect([
    [200, 'RUNNING'],
    [303, ''],
    [503, true], // it holds the one connection
  ]).toContainEqual(asked);
  await kill(first);
  const held = await leases();
  await using second = await serve(settings);
  const before = await statusOf(second, status);
  const count = await countIn(second, 'killed');
  const after = await statusOf(second, status);
  // The killed process had not taken it, and the second one may do it at any time, or holds it for half a minute.
  // Awaited, since the server is killed at the end of this block.
  if (after[0] === 303) return await expectDone(second, status, 'killed', many);
  expect([before, after, count]).toEqual([[200, 'RUNNING'], [200, 'RUNNING'], 0]);
  if (settings.DATABASE_URL === undefined) {
    const aborted = await ask(second.url, status.replace(/\/status$/, ''), { method: 'DELETE' });
    expect(aborted.status).toBe(204);
    return;
  }
  await endLeases(held);
  await expectDone(second, status, 'killed', many);
});
