import { describe, expect, test } from '@jest/globals';
import { resumeBulk, runBulkBelow } from '../../support/bulk.ts';
import { createDocument } from '../../support/documents.ts';
import { askGraphql, call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const chains = [
  {
    name: 'waits',
    params: [{ name: 'commandId', required: true }],
    operations: [{ id: 'Bulk.WaitForAction', params: { commandId: 'expr:ChainParameters.commandId' } }],
  },
];

const server = useServer({}, { chains });
const bob = useUser(server, 'bob');

let commands = 0;

/** A command on a document, of which no job is there yet. */
async function waiting(): Promise<string> {
  const { uid } = await createDocument(server);
  commands += 1;
  const id = `88888888-8888-4888-8888-${String(commands).padStart(12, '0')}`;
  await server.database.prisma.bulkCommand.create({
    data: {
      id,
      repository: 'default',
      username: 'Administrator',
      action: 'setProperties',
      parameters: { 'dc:title': 'waited for' },
      query: {},
      state: 'RUNNING',
      total: 1,
      items: { create: [{ depth: 4, documentId: uid }] },
    },
  });
  return id;
}

const wait = (params: Record<string, unknown>, request = server.request) =>
  call(request, 'Bulk.WaitForAction', { params });

const isEnded = (value: boolean) => ({ 'entity-type': 'boolean', value });

// §4.7
describe('Bulk.WaitForAction', () => {
  test('answers true of an action that has ended', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const { commandId } = await runBulkBelow(server.request, 'trash', folder, {});
    expect((await wait({ commandId }).expect(200)).body).toEqual(isEnded(true));
  });

  test('waits for one that is under way', async () => {
    const commandId = await waiting();
    const asked = wait({ commandId, timeoutSecond: 60 }).expect(200);
    const answered = asked.then(({ body }) => body);
    await resumeBulk(server, commandId);
    expect(await answered).toEqual(isEnded(true));
    expect((await server.request.get(`/api/v1/bulk/${commandId}`)).body.state).toBe('COMPLETED');
  });

  test('is false when the time is over, and looks again meanwhile', async () => {
    const commandId = await waiting();
    const none = await wait({ commandId, timeoutSecond: 0 }).expect(200);
    const some = await wait({ commandId, timeoutSecond: 1 }).expect(200);
    expect([none.body, some.body]).toEqual([isEnded(false), isEnded(false)]);
    expect(statements(some)).toBeGreaterThan(statements(none));
  });

  test('holds no connection of the database: more wait than there are connections', async () => {
    const commandId = await waiting();
    const all = Array.from({ length: 40 }, () => wait({ commandId, timeoutSecond: 60 }).expect(200));
    const answers = Promise.all(all.map((each) => each.then(({ body }) => body)));
    await createDocument(server); // a write gets one
    await resumeBulk(server, commandId);
    expect(await answers).toEqual(all.map(() => isEnded(true)));
  });

  test('looks once in a transaction, which has a connection', async () => {
    const commandId = await waiting();
    const timed = wait({ commandId, timeoutSecond: 60 }).set('Svc-Transaction-Timeout', '5');
    expect((await timed.expect(200)).body).toEqual(isEnded(false));
    const chained = call(server.request, 'waits', { params: { commandId } });
    expect((await chained.expect(200)).body).toEqual(isEnded(false));
  });

  test('refuses a call without a command, with an unknown one, and with another kind of time', async () => {
    expect((await wait({}).expect(400)).body.message).toBe('commandId is missing');
    for (const commandId of ['x', '00000000-0000-4000-8000-000000000000'])
      await wait({ commandId }).expect(404);
    await wait({ commandId: await waiting(), timeoutSecond: 'soon' }).expect(400);
  });

  test('needs an administrator', async () => {
    await wait({ commandId: await waiting() }, bob).expect(403);
  });

  test('in GraphQL too', async () => {
    const commandId = await waiting();
    const query = `{ bulkWaitForAction(commandId: "${commandId}", timeoutSecond: 0) { value { type value } } }`;
    expect(await askGraphql(server.request, query)).toEqual({
      bulkWaitForAction: { value: { type: 'boolean', value: false } },
    });
  });
});
