import { describe, expect, test } from '@jest/globals';
import { deleteOldExecutions } from '../../../src/store/executions/executions.ts';
import { bulkEnded, bulkStatusOf, resumeBulk } from '../../support/bulk.ts';
import { createDocument, readDocument } from '../../support/documents.ts';
import { askGraphql, asText, type Call, callAt } from '../../support/requests.ts';
import { type TestServer, useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob');
const { request } = server;

type Request = TestServer['request'];

const operation = '/api/v1/automation/Bulk.RunAction';

/** The path of an absolute address. */
const pathOf = (address = ''): string => address.replace(/^https?:\/\/[^/]+/, '');

const resultOf = (status: string): string => status.replace(/\/status$/, '');

const over = (uid: string) => `SELECT * FROM Document WHERE ecm:uuid = '${uid}'`;

const setTitle = (uid: string): Call => ({
  params: { action: 'setProperties', query: over(uid), parameters: { 'dc:title': 'later' } },
});

/** Begins an execution; the path of its status. */
async function begin(given: Call, headers: Record<string, string> = {}): Promise<string> {
  const begun = await callAt(request, `${operation}/@async`, given).set(headers).expect(202);
  return pathOf(begun.headers.location);
}

const done = (status: string) => until(async () => (await request.get(status)).status === 303);

let commands = 0;

/** An execution that has begun a command on a document, of which no job is there yet. */
async function bound(
  uid: string,
  username = 'Administrator',
): Promise<{ command: string; execution: string }> {
  commands += 1;
  const command = `55555555-5555-4555-8555-${String(commands).padStart(12, '0')}`;
  await server.database.prisma.bulkCommand.create({
    data: {
      id: command,
      repository: 'default',
      username,
      action: 'setProperties',
      parameters: { 'dc:title': 'later' },
      query: {},
      state: 'RUNNING',
      total: 1,
      items: { create: [{ depth: 4, documentId: uid }] },
    },
  });
  const { beginExecution: execution } = await askGraphql<{ beginExecution: string }>(
    request,
    'mutation { beginExecution(operation: "Bulk.RunAction") }',
  );
  const end = `mutation { endExecution(id: "${execution}", answer: {begun: true}, bulkCommand: "${command}") }`;
  await askGraphql(request, end);
  return { command, execution: `${operation}/@async/${execution}` };
}

describe('§4.7 Bulk.RunAction/@async', () => {
  test('is done when the action has ended, and answers its last status', async () => {
    const { uid } = await createDocument(server);
    const status = await begin(setTitle(uid));
    await done(status);
    const { body } = await request
      .get(resultOf(status))
      .expect(200)
      .expect('Content-Type', /^application\/json;.*nuxeo-entity=bulkStatus/);
    expect(body).toMatchObject({ 'entity-type': 'bulkStatus', state: 'COMPLETED', processed: 1, total: 1 });
    const { value, ...flat } = body;
    expect(value).toEqual(flat);
    expect(await bulkStatusOf(request, body.commandId)).toEqual(flat);
    expect((await readDocument(request, uid)).title).toBe('later');
  });

  test('has the status of the action while that is under way', async () => {
    const { uid } = await createDocument(server);
    const { command, execution } = await bound(uid);
    const running = await request
      .get(`${execution}/status`)
      .expect(200)
      .expect('Content-Type', /nuxeo-entity=bulkStatus/);
    expect(running.body).toEqual(await bulkStatusOf(request, command));
    expect(running.body).toMatchObject({ state: 'RUNNING', processed: 0, total: 1 });
    expect((await request.get(execution).expect(202)).body).toEqual(running.body);
    await resumeBulk(server, command);
    await done(`${execution}/status`);
    const { headers } = await request.get(`${execution}/status`).expect(303);
    expect(headers.location).toBe(execution);
    expect((await request.get(execution).expect(200)).body).toMatchObject({ state: 'COMPLETED' });
  });

  test('answers the file of an export by its address', async () => {
    const { uid } = await createDocument(server);
    const status = await begin({ params: { action: 'csvExport', query: over(uid) } });
    await done(status);
    const { headers } = await request.get(resultOf(status)).expect(303);
    expect(headers.location).toMatch(/\/api\/v1\/bulk\/[\da-f-]{36}\/result$/);
    const { body } = await asText(request.get(pathOf(headers.location))).expect(200);
    expect(body).toContain(uid);
  });

  test('answers nothing where nothing is asked for, once the action has ended', async () => {
    const { uid } = await createDocument(server);
    const status = await begin(setTitle(uid), { 'X-SvcVoidOperation': 'true' });
    await done(status);
    await request.get(resultOf(status)).expect(204);
    expect((await readDocument(request, uid)).title).toBe('later');
  });

  test('ends at once with the error of an action that is refused', async () => {
    const status = await begin({ params: { action: 'fly', query: over('x') } });
    await done(status);
    expect((await request.get(resultOf(status)).expect(400)).body.message).toMatch(/no bulk action fly/);
  });
});

describe('§4.7 DELETE of the execution', () => {
  test('aborts the action', async () => {
    const { uid } = await createDocument(server);
    const { command, execution } = await bound(uid);
    await bob.delete(execution).expect(404);
    expect(await bulkStatusOf(request, command)).toMatchObject({ state: 'RUNNING' });
    await request.delete(execution).expect(204);
    expect(await bulkStatusOf(request, command)).toMatchObject({
      state: 'ABORTED',
      completed: expect.any(String),
    });
    for (const address of [execution, `${execution}/status`]) await request.get(address).expect(404);
  });

  test('leaves an action that has ended as it is', async () => {
    const { uid } = await createDocument(server);
    const { command, execution } = await bound(uid);
    await resumeBulk(server, command);
    await bulkEnded(request, command);
    await request.delete(execution).expect(204);
    expect(await bulkStatusOf(request, command)).toMatchObject({ state: 'COMPLETED' });
  });
});

describe('An execution', () => {
  const statusOf = (who: Request, execution: string) => who.get(`${execution}/status`);

  test('is not bound to the bulk action of another user', async () => {
    const { uid } = await createDocument(server);
    const { command, execution } = await bound(uid, 'bob');
    await statusOf(request, execution).expect(303);
    expect((await request.get(execution).expect(200)).body).toEqual({ begun: true });
    await request.delete(execution).expect(204);
    expect(await bulkStatusOf(request, command)).toMatchObject({ state: 'RUNNING' });
  });

  test('stays for as long as its action is under way, and has a field for it in GraphQL', async () => {
    const { uid } = await createDocument(server);
    const { command, execution } = await bound(uid);
    const id = execution.split('/').at(-1) ?? '';
    const { prisma } = server.database;
    await prisma.execution.updateMany({ where: { id }, data: { renewedAt: new Date(0) } });
    await deleteOldExecutions(server.database, 1);
    const query = `{ execution(operation: "Bulk.RunAction", id: "${id}") { isDone answer bulkStatus { commandId } } }`;
    expect(await askGraphql(request, query)).toEqual({
      execution: { isDone: false, answer: null, bulkStatus: { commandId: command } },
    });
    await request.put(`/api/v1/bulk/${command}/abort`).expect(200);
    await statusOf(request, execution).expect(303);
    expect((await request.get(execution).expect(200)).body).toMatchObject({ state: 'ABORTED' });
    await deleteOldExecutions(server.database, 1);
    await statusOf(request, execution).expect(404);
  });
});
