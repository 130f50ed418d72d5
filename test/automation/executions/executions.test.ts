import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startBeside } from '../../support/beside.ts';
import { isOnFallback } from '../../support/database.ts';
import { createDocument } from '../../support/documents.ts';
import { callAt } from '../../support/requests.ts';
import { type TestServer, useServer } from '../../support/server.ts';
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

const done = (status: string) => until(async () => (await request.get(status)).status === 303);

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

/** Inserts an execution like one that a GraphQL client has begun. */
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
  });

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
  });

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
  });
});

describe('§4.7 an execution that a client runs itself', () => {
  test('is RUNNING for 30 seconds, and then 503', async () => {
    await leave('lost', 20);
    expect((await request.get(`${log}/@async/lost/status`).expect(200)).text).toBe('RUNNING');
    await server.database.prisma.execution.updateMany({
      where: { id: 'lost' },
      data: { renewedAt: new Date(Date.now() - 31_000) },
    });
    await request.get(`${log}/@async/lost/status`).expect(303);
    const { body, headers } = await request.get(`${log}/@async/lost`).expect(503);
    expect(body).toMatchObject({ 'entity-type': 'exception', status: 503 });
    expect(body.message).toMatch(/cut off: its client ended it too late$/);
    expect(headers['retry-after']).toBe('5');
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
  });
});

(isOnFallback ? describe.skip : describe)('§4.7 several processes', () => {
  let other: TestServer['request'];
  let close = async () => {};
  beforeAll(async () => {
    ({ request: other, close } = await startBeside(server));
  });
  afterAll(() => close());

  test('every process answers with the status and the result of an execution', async () => {
    const { status } = await longImport();
    expect((await other.get(status).expect(200)).text).toBe('RUNNING');
    await done(status);
    await other.get(status).expect(303);
    const { body } = await other.get(resultOf(status)).expect(200);
    expect(body.entries).toHaveLength(300);
  });

  test('every process can abort an execution of another process', async () => {
    const { path, status } = await longImport();
    await other.delete(resultOf(status)).expect(204);
    await other.get(status).expect(404);
    const id = resultOf(status).split('/').at(-1) ?? '';
    await until(() => server.executing.find(id) === undefined, 5_000);
    await request.get(status).expect(404);
    await staysEmpty(path);
  });
});
