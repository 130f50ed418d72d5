/** @group every-database, slow */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDatabase, type Database } from '../../../src/db/database.ts';
import { connectServer } from '../../../src/db/postgres-server.ts';
import { executionJob } from '../../../src/store/executions/begin-execution.ts';
import { ask, kill, type RunningServer, serve, useProcessSettings } from '../../db/processes.ts';
import { authorization } from '../../support/administrator.ts';
import { until } from '../../support/until.ts';
import { untilWaiting } from '../../support/until-waiting.ts';

const settings = useProcessSettings({ isStocked: true });

/** That of the servers. */
let database: Database;
beforeAll(() => {
  database = createDatabase(connectServer(settings.DATABASE_URL ?? '', 60));
});
afterAll(async () => {
  await kill(serving);
  await database.close();
});

let serving: RunningServer;

const files = Array.from({ length: 10 }, (_, index) => `${index}.pdf`);
const lastFile = '9.pdf';

interface Import {
  readonly folder: string;
  /** The path of its status. */
  readonly status: string;
}

async function create(parent: string, type: string, name: string): Promise<string> {
  const body = JSON.stringify({ 'entity-type': 'document', type, name });
  const response = await ask(serving.url, `/api/v1/path${parent}`, { method: 'POST', body });
  expect(response.status).toBe(201);
  return ((await response.json()) as { uid: string }).uid;
}

async function begin(folder: string): Promise<string> {
  const form = new FormData();
  form.append(
    'params',
    JSON.stringify({ context: { currentDocument: folder }, params: { overwrite: true } }),
  );
  for (const file of files) form.append('input', new Blob(['x']), file);
  const address = `${serving.url}/api/v1/automation/FileManager.Import/@async`;
  const response = await fetch(address, {
    method: 'POST',
    body: form,
    headers: { Authorization: authorization },
  });
  expect(response.status).toBe(202);
  return new URL(response.headers.get('location') ?? '').pathname;
}

/** Does some work while an import waits to overwrite the last of its files, and has written the others. */
async function whileImporting(name: string, work: (begun: Import) => Promise<void>): Promise<Import> {
  const folder = `/${name}`;
  await create('/', 'Folder', name);
  const last = await create(folder, 'File', lastFile);
  return database.transaction(100, async (db) => {
    await db.query({ name: '', text: 'SELECT FROM document WHERE id = $1 FOR UPDATE' }, [last]);
    const begun = { folder, status: await begin(folder) };
    await untilWaiting(database, 1);
    await work(begun);
    return begun;
  });
}

async function countIn({ folder }: Import): Promise<number> {
  const response = await ask(serving.url, `/api/v1/path${folder}/@children`);
  return ((await response.json()) as { resultsCount: number }).resultsCount;
}

async function statusOf({ status }: Import): Promise<[number, string]> {
  const response = await ask(serving.url, status, { redirect: 'manual' });
  return [response.status, await response.text()];
}

async function expectDone(begun: Import): Promise<void> {
  await until(async () => (await statusOf(begun))[0] === 303, 60_000);
  expect((await ask(serving.url, begun.status.replace(/\/status$/, ''))).status).toBe(200);
  expect(await countIn(begun)).toBe(files.length);
}

const leases = async (): Promise<Date[]> =>
  (await database.prisma.job.findMany({ where: { kind: executionJob } })).map(({ runAt }) => runAt);

/** Ends these leases, and none that another process has taken since. */
async function endLeases(held: Date[]): Promise<void> {
  const where = { kind: executionJob, runAt: { in: held } };
  await database.prisma.job.updateMany({ where, data: { runAt: new Date() } });
  await database.announce('jobs');
}

test('§4.7 a server finishes its executions on SIGTERM, or the next one does them', async () => {
  serving = await serve(settings);
  const begun = await whileImporting('stopped', async () => {
    serving.child.kill('SIGTERM');
  });
  expect(await serving.ended).toEqual({ code: 0, signal: null });
  serving = await serve(settings);
  await expectDone(begun);
});

test('§4.7 an execution of a killed process has no effect until another process does it once', async () => {
  let held: Date[] = [];
  const begun = await whileImporting('killed', async (importing) => {
    expect(await statusOf(importing)).toEqual([200, 'RUNNING']);
    await kill(serving);
    held = await leases();
    serving = await serve(settings);
    expect([await statusOf(importing), await countIn(importing)]).toEqual([[200, 'RUNNING'], 1]);
  });
  expect(held).toHaveLength(1);
  await endLeases(held);
  await expectDone(begun);
});
