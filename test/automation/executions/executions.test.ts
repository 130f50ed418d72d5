import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import supertest from 'supertest';
import { readConfig } from '../../../src/config.ts';
import { createDatabase } from '../../../src/db/database.ts';
import { connectServer } from '../../../src/db/postgres-server.ts';
import { prepareApp } from '../../../src/prepare-app.ts';
import { administrator } from '../../support/administrator.ts';
import { isOnFallback } from '../../support/database.ts';
import { createDocument } from '../../support/documents.ts';
import { callAt } from '../../support/requests.ts';
import { startServer, type TestServer, useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { as, createUser } from '../../support/users.ts';

const server = useServer();
const { request } = server;

const log = '/api/v1/automation/Log';
const pathOf = (address = ''): string => address.replace(/^https?:\/\/[^/]+/, '');
const resultOf = (status: string): string => status.replace(/\/status$/, '');

/** Begins an execution; the path of its status. */
async function begin(operation: string, given: Parameters<typeof callAt>[2], who = request): Promise<string> {
  const address = `/api/v1/automation/${operation}/@async`;
  return pathOf((await callAt(who, address, given).expect(202)).headers.location);
}

const done = (status: string) => until(async () => (await request.get(status)).status === 303, 20_000);

/** Begins a slow import of many files into a new folder. */
async function longImport(count = 300): Promise<{ path: string; status: string }> {
  const { path } = await createDocument(server, { type: 'Folder' });
  const blobs = Array.from({ length: count }, (_, index) => ({ content: 'x', name: `${index}.pdf` }));
  const context = { currentDocument: path };
  return { path, status: await begin('FileManager.Import', { context, blobs }) };
}

const childrenOf = async (path: string): Promise<number> =>
  (await request.get(`/api/v1/path${path}/@children`).expect(200)).body.resultsCount;

/** Expects a folder to stay empty for longer than an import could still be running. */
async function staysEmpty(path: string): Promise<void> {
  for (let time = 0; time < 20; time += 1) {
    expect(await childrenOf(path)).toBe(0);
    await setTimeout(50);
  }
}

/** Inserts an execution like one that another process has left. */
const leave = (id: string, secondsAgo: number, userId = 'Administrator') =>
  server.database.prisma.execution.create({
    data: {
      repository: 'default',
      id,
      userId,
      operation: 'Log',
      renewedAt: new Date(Date.now() - 1000 * secondsAgo),
    },
  });

describe('§4.7 a long execution', () => {
  test('has the status RUNNING until it is done, and then its result', async () => {
    const { path, status } = await longImport();
    const running = await request.get(status).expect(200);
    expect([running.text, running.headers['content-type']]).toEqual(['RUNNING', 'text/plain; charset=utf-8']);
    const asJson = await request.get(status).accept('application/json').expect(200);
    expect(asJson.headers['content-type']).toMatch(/^application\/json/);
    expect(asJson.body).toBe('RUNNING');
    expect((await request.get(resultOf(status)).expect(202)).text).toBe('RUNNING');
    await done(status);
    const { body } = await request.get(resultOf(status)).expect(200);
    expect(body.entries).toHaveLength(300);
    expect(await childrenOf(path)).toBe(300);
  }, 40_000);

  test('is rolled back when it is aborted, and is 404 afterwards', async () => {
    const { path, status } = await longImport();
    await request.get(status).expect(200);
    await request.delete(resultOf(status)).expect(204);
    for (const address of [status, resultOf(status)]) await request.get(address).expect(404);
    await request.delete(resultOf(status)).expect(404);
    const id = resultOf(status).split('/').at(-1) ?? '';
    await until(() => server.executing.find(id) === undefined);
    await staysEmpty(path);
    expect(server.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  }, 40_000);

  test('fails when its transaction exceeds Svc-Transaction-Timeout', async () => {
    const { path } = await createDocument(server, { type: 'Folder' });
    const blobs = Array.from({ length: 600 }, (_, index) => ({ content: 'x', name: `${index}.pdf` }));
    const sent = callAt(request, '/api/v1/automation/FileManager.Import/@async', {
      context: { currentDocument: path },
      blobs,
    });
    const { headers } = await sent.set('Svc-Transaction-Timeout', '1').expect(202);
    await done(pathOf(headers.location));
    const { body } = await request.get(resultOf(pathOf(headers.location))).expect(503);
    expect(body.message).toMatch(/longer than 1 s and was rolled back$/);
    expect(await childrenOf(path)).toBe(0);
  }, 40_000);
});

describe('§4.7 an execution of a process that has ended', () => {
  test('is RUNNING for 30 seconds after its last renewal, and then 503', async () => {
    await leave('lost', 20);
    expect((await request.get(`${log}/@async/lost/status`).expect(200)).text).toBe('RUNNING');
    await server.database.prisma.execution.updateMany({
      where: { id: 'lost' },
      data: { renewedAt: new Date(Date.now() - 31_000) },
    });
    await request.get(`${log}/@async/lost/status`).expect(303);
    const { body, headers } = await request.get(`${log}/@async/lost`).expect(503);
    expect(body).toMatchObject({ 'entity-type': 'exception', status: 503 });
    expect(body.message).toMatch(/cut off: its process ended; nothing was changed$/);
    expect(headers['retry-after']).toBe('5');
  });

  test('can be aborted by any process', async () => {
    await leave('elsewhere', 1);
    await request.delete(`${log}/@async/elsewhere`).expect(204);
    await request.get(`${log}/@async/elsewhere/status`).expect(404);
  });
});

describe('§8 limits of executions', () => {
  test('a user with 20 pending executions gets 429', async () => {
    await createUser(server, 'busy', ['members']);
    const busy = as(server, 'busy');
    for (let index = 0; index < 20; index += 1) await leave(`busy-${index}`, 1, 'busy');
    const refused = await callAt(busy, `${log}/@async`, { params: { message: 'x' } }).expect(429);
    expect(refused.headers['retry-after']).toBe('30');
    expect(refused.body.message).toMatch(/^20 of your executions are under way/);
    await request.delete(`${log}/@async/busy-7`).expect(204);
    await begin('Log', { params: { message: 'x' } }, busy);
  });

  test('at most 100 executions wait for their turn, and more get 503', async () => {
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const here = (id: string) => ({ id, userId: 'x', repository: 'default', operation: 'Log' });
    for (let index = 0; index < 5; index += 1) server.executing.begin(here(`held-${index}`), () => held);
    const status = await begin('Log', { params: { message: 'in turn' } });
    expect((await request.get(status).expect(200)).text).toBe('RUNNING');
    for (let index = 0; index < 99; index += 1) server.executing.begin(here(`more-${index}`), () => held);
    const { body } = await callAt(request, `${log}/@async`, { params: { message: 'x' } }).expect(503);
    expect(body.message).toBe('100 executions wait for their turn: try again soon');
    letGo();
    await done(status);
    await request.get(resultOf(status)).expect(204);
  });

  test('an execution whose result exceeds 20 MB is rolled back', async () => {
    const note = { 'note:note': 'x'.repeat(2_500_000) };
    const made = await Promise.all(
      [1, 2, 3].map(() => createDocument(server, { type: 'Note', properties: note })),
    );
    const uids = made.map(({ uid }) => uid);
    const properties = { 'dc:title': 'new', 'note:note': 'y'.repeat(7_000_000) };
    const status = await begin('Document.Update', { input: uids, params: { properties } });
    await done(status);
    const { body } = await request.get(resultOf(status)).expect(400);
    expect(body.message).toMatch(/longer than 20 MB/);
    expect((await request.get(`/api/v1/id/${uids[0]}`).expect(200)).body.title).not.toBe('new');
  }, 30_000);
});

/** A second application on the same database, with its own pool and caches: it stands for another process. */
async function elsewhere(): Promise<{ other: TestServer['request']; close: () => Promise<void> }> {
  const database = createDatabase(connectServer(server.url ?? '', 60));
  const config = readConfig({ DATA_DIR: server.dataDir });
  const log = pino({ level: 'silent' });
  const { app, executing, journal, searchIndex, stopBulk } = await prepareApp(config, database, {
    log,
    isReady: () => true,
  });
  const other = supertest.agent(app);
  other.auth(administrator.username, administrator.password);
  await until(() => database.announcements.isConnected());
  const close = async () => {
    await executing.close(0);
    await stopBulk();
    await Promise.all([journal.close(), searchIndex.close()]);
    await database.close();
  };
  return { other, close };
}

(isOnFallback ? describe.skip : describe)('§4.7 several processes', () => {
  let other: TestServer['request'];
  let close = async () => {};
  beforeAll(async () => {
    ({ other, close } = await elsewhere());
  });
  afterAll(() => close());

  test('every process answers with the status and the result of an execution', async () => {
    const { status } = await longImport();
    expect((await other.get(status).expect(200)).text).toBe('RUNNING');
    await done(status);
    await other.get(status).expect(303);
    const { body } = await other.get(resultOf(status)).expect(200);
    expect(body.entries).toHaveLength(300);
  }, 40_000);

  test('every process can abort an execution of another process', async () => {
    const { path, status } = await longImport();
    await other.delete(resultOf(status)).expect(204);
    await other.get(status).expect(404);
    const id = resultOf(status).split('/').at(-1) ?? '';
    await until(() => server.executing.find(id) === undefined, 1_000);
    await request.get(status).expect(404);
    await staysEmpty(path);
  }, 40_000);

  test('an execution that one process treats as cut off is rolled back by its own process', async () => {
    const { path, status } = await longImport();
    const id = resultOf(status).split('/').at(-1) ?? '';
    const renewedAt = new Date(Date.now() - 31_000);
    await server.database.prisma.execution.updateMany({ where: { id }, data: { renewedAt } });
    await other.get(status).expect(303);
    await other.get(resultOf(status)).expect(503);
    await until(() => server.executing.find(id) === undefined, 20_000);
    await request.get(resultOf(status)).expect(503);
    await staysEmpty(path);
  }, 40_000);
});

describe('§4.7 a server that stops', () => {
  test('cuts off executions that take longer than it waits, and reports that in their results', async () => {
    await using other = await startServer();
    const folder = await createDocument(other, { type: 'Folder' });
    const blobs = Array.from({ length: 300 }, (_, index) => ({ content: 'x', name: `${index}.pdf` }));
    const address = '/api/v1/automation/FileManager.Import/@async';
    const sent = callAt(other.request, address, { context: { currentDocument: folder.path }, blobs });
    const status = pathOf((await sent.expect(202)).headers.location);
    await other.executing.close(0);
    const { body } = await other.request.get(resultOf(status)).expect(503);
    expect(body.message).toMatch(/cut off: the server was stopped; nothing was changed$/);
    const children = await other.request.get(`/api/v1/path${folder.path}/@children`).expect(200);
    expect(children.body.resultsCount).toBe(0);
    await callAt(other.request, `${log}/@async`, { params: { message: 'x' } }).expect(503);
  }, 40_000);
});
