import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { executionJob } from '../../../src/store/executions/begin-execution.ts';
import { startBeside } from '../../support/beside.ts';
import { createDocument } from '../../support/documents.ts';
import { type Call, callAt } from '../../support/requests.ts';
import { type TestServer, useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { untilWaiting } from '../../support/until-waiting.ts';
import { as, createUser } from '../../support/users.ts';

const server = useServer();
const { request } = server;

const log = '/api/v1/automation/Log';
const pathOf = (address = ''): string => address.replace(/^https?:\/\/[^/]+/, '');
const resultOf = (status: string): string => status.replace(/\/status$/, '');

/** Begins an execution; the path of its status. */
async function begin(operation: string, given: Call, { who = request, seconds = '' } = {}): Promise<string> {
  const sent = callAt(who, `/api/v1/automation/${operation}/@async`, given);
  if (seconds) sent.set('Svc-Transaction-Timeout', seconds);
  return pathOf((await sent.expect(202)).headers.location);
}

const done = (status: string) => until(async () => (await request.get(status)).status === 303);

interface Import {
  readonly path: string;
  readonly status: string;
}

const files = Array.from({ length: 10 }, (_, index) => ({ content: 'x', name: `${index}.pdf` }));
const lastFile = '9.pdf';

/** Does some work while an import waits to overwrite the last of its files, and has written the others. */
async function whileImporting(work: (begun: Import) => Promise<void>, seconds = ''): Promise<Import> {
  const { path } = await createDocument(server, { type: 'Folder' });
  const { uid } = await createDocument(server, { parent: path, type: 'File', name: lastFile });
  const call = { context: { currentDocument: path }, params: { overwrite: true }, blobs: files };
  return server.database.transaction(60, async (db) => {
    await db.query({ name: '', text: 'SELECT FROM document WHERE id = $1 FOR UPDATE' }, [uid]);
    const begun = { path, status: await begin('FileManager.Import', call, { seconds }) };
    await untilWaiting(server.database, 1);
    await work(begun);
    return begun;
  });
}

/** Once nothing is done for an execution any more. */
const nothingRuns = () =>
  until(async () => (await server.database.prisma.job.count({ where: { kind: executionJob } })) === 0);

const childrenOf = async (path: string): Promise<number> =>
  (await request.get(`/api/v1/path${path}/@children`).expect(200)).body.resultsCount;

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
    const { path, status } = await whileImporting(async (begun) => {
      const running = await request.get(begun.status).expect(200);
      const type = running.headers['content-type'];
      expect([running.text, type]).toEqual(['RUNNING', 'text/plain; charset=utf-8']);
      const asJson = await request.get(begun.status).accept('application/json').expect(200);
      expect(asJson.headers['content-type']).toMatch(/^application\/json/);
      expect(asJson.body).toBe('RUNNING');
      expect((await request.get(resultOf(begun.status)).expect(202)).text).toBe('RUNNING');
      expect(await childrenOf(begun.path)).toBe(1);
    });
    await done(status);
    const { body } = await request.get(resultOf(status)).expect(200);
    expect(body.entries).toHaveLength(files.length);
    expect(await childrenOf(path)).toBe(files.length);
  });

  test('is rolled back when it is aborted, and is 404 afterwards', async () => {
    const { path } = await whileImporting(async ({ status }) => {
      await request.get(status).expect(200);
      await request.delete(resultOf(status)).expect(204);
      for (const address of [status, resultOf(status)]) await request.get(address).expect(404);
      await request.delete(resultOf(status)).expect(404);
      const id = resultOf(status).split('/').at(-1) ?? '';
      expect(server.executing.find(id)).toBeUndefined();
    });
    await nothingRuns();
    expect(await childrenOf(path)).toBe(1);
    expect(server.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  test('fails when its transaction exceeds Svc-Transaction-Timeout', async () => {
    const { path, status } = await whileImporting(({ status: begun }) => done(begun), '1');
    const { body } = await request.get(resultOf(status)).expect(503);
    expect(body.message).toMatch(/longer than 1 s and was rolled back\.$/);
    expect(await childrenOf(path)).toBe(1);
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
    expect(body.message).toMatch(/aborted, because its client did not complete it in time\.$/);
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
    expect(refused.body.message).toMatch(/^You have 20 executions in progress\./);
    await request.delete(`${log}/@async/busy-7`).expect(204);
    await begin('Log', { params: { message: 'x' } }, { who: busy });
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

describe('§4.7 several processes', () => {
  let other: TestServer['request'];
  let close = async () => {};
  beforeAll(async () => {
    ({ request: other, close } = await startBeside(server));
  });
  afterAll(() => close());

  test('every process answers with the status and the result of an execution', async () => {
    const { status } = await whileImporting(async (begun) => {
      expect((await other.get(begun.status).expect(200)).text).toBe('RUNNING');
    });
    await done(status);
    await other.get(status).expect(303);
    const { body } = await other.get(resultOf(status)).expect(200);
    expect(body.entries).toHaveLength(files.length);
  });

  test('every process can abort an execution of another process', async () => {
    const { path } = await whileImporting(async ({ status }) => {
      await other.delete(resultOf(status)).expect(204);
      await other.get(status).expect(404);
      const id = resultOf(status).split('/').at(-1) ?? '';
      await until(() => server.executing.find(id) === undefined, 5_000);
      await request.get(status).expect(404);
    });
    await nothingRuns();
    expect(await childrenOf(path)).toBe(1);
  });
});
