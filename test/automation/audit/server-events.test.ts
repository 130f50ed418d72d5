import { describe, expect, test } from '@jest/globals';
import { eventNames } from '../../../src/model/event-names.ts';
import { grant, setAcl } from '../../support/acls.ts';
import { folderOfFiles, runBulkBelow } from '../../support/bulk.ts';
import { createDocument } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { useUser } from '../../support/users.ts';

const server = useServer(
  {},
  {
    chains: [
      { name: 'removing', operations: [{ id: 'Audit.LogEvent', params: { event: 'documentRemoved' } }] },
      {
        name: 'firing',
        params: [{ name: 'as', required: true }],
        operations: [{ id: 'Event.Fire', params: { name: 'expr:@{ChainParameters.as}' } }],
      },
    ],
  },
);
const bob = useUser(server, 'bob', ['members']);

const readable = async () => {
  const { uid, path } = await createDocument(server);
  await setAcl(server, path, [grant('bob', 'Read')]);
  return uid;
};

const loggedOf = async (uid: string) => {
  const entries = await server.database.prisma.logEntry.findMany({ where: { docUuid: uid } });
  return entries.map(({ eventId }) => eventId);
};

const refusalOf = (name: string) =>
  `Only administrators can log events named ${name}, because the server itself uses this name.`;

describe('§6 events that callers log', () => {
  test.each([
    ['Audit.LogEvent', 'event'],
    ['Audit.Log', 'event'],
    ['Event.Fire', 'name'],
    ['Notification.SendEvent', 'name'],
  ])('have no name of an event of the server, by %s', async (id, param) => {
    const uid = await readable();
    const before = await loggedOf(uid);
    for (const name of [
      ...eventNames.slice(0, 3),
      'DocumentRemoved',
      ' documentRemoved\n',
      'ｄocumentRemoved',
    ]) {
      const { body } = await call(bob, id, { input: uid, params: { [param]: name } }).expect(403);
      expect(body.message).toBe(refusalOf(name));
    }
    expect(await loggedOf(uid)).toEqual(before);
    await call(bob, id, { input: uid, params: { [param]: 'documentRemovedByBob' } }).expect(200);
    expect(await loggedOf(uid)).toEqual([...before, 'documentRemovedByBob']);
  });

  test('have no such name without a document', async () => {
    for (const name of eventNames) {
      const { body } = await call(bob, 'Event.Fire', { params: { name } }).expect(403);
      expect(body.message).toBe(refusalOf(name));
    }
    expect(
      await server.database.prisma.logEntry.count({
        where: { eventId: 'documentRemoved', principalName: 'bob' },
      }),
    ).toBe(0);
  });

  test('have no such name in chains, lists of calls and asynchronous calls', async () => {
    const uid = await readable();
    const before = await loggedOf(uid);
    await call(bob, 'removing', { input: uid }).expect(403);
    await call(bob, 'firing', { input: uid, params: { as: 'documentRemoved' } }).expect(403);
    await call(bob, 'RunOperation', {
      input: uid,
      params: { id: 'Event.Fire', parameters: { name: 'documentRemoved' } },
    }).expect(403);
    const { headers } = await call(bob, 'removing/@async', { input: uid }).expect(202);
    const status = new URL(headers.location ?? '').pathname;
    await until(async () => (await bob.get(status)).status === 303);
    await bob.get(status.replace(/\/status$/, '')).expect(403);
    expect(await loggedOf(uid)).toEqual(before);
  });

  test('have no such name in bulk actions', async () => {
    const { folder, files } = await folderOfFiles(server, 2);
    await setAcl(server, folder.path, [grant('bob', 'Everything')]);
    const parameters = { operationId: 'Audit.LogEvent', parameters: { event: 'documentRemoved' } };
    const status = await runBulkBelow(bob, 'automation', folder, parameters);
    expect(status).toMatchObject({ errorCount: 2 });
    for (const { uid } of files) expect(await loggedOf(uid)).not.toContain('documentRemoved');
  });

  test('can have any name when an administrator logs them', async () => {
    const uid = await readable();
    await call(server.request, 'Audit.LogEvent', { input: uid, params: { event: 'documentRemoved' } }).expect(
      200,
    );
    await call(server.request, 'Event.Fire', { params: { name: 'loginSuccess' } }).expect(204);
    await call(server.request, 'removing', { input: uid }).expect(200);
    expect((await loggedOf(uid)).filter((name) => name === 'documentRemoved')).toHaveLength(2);
  });
});

test('the directory eventTypes has the names of all events of the server', async () => {
  const { body } = await server.request.get('/api/v1/directory/eventTypes?pageSize=0').expect(200);
  expect(new Set(body.entries.map(({ id }: { id: string }) => id))).toEqual(new Set(eventNames));
});
