import { beforeAll, describe, expect, test } from '@jest/globals';
import { createDocument } from '../../support/documents.ts';
import { askGraphql } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { as, createGroup, createUser } from '../../support/users.ts';
import { groupBody, userBody } from '../authorities/authority-requests.ts';
import { eventsOf, type LogEntryEntity, latestId, loggedAfter } from './audit-requests.ts';

const server = useServer();
beforeAll(async () => {
  for (const id of ['ann', 'bob', 'gone']) await createUser(server, id);
  for (const id of ['readers', 'writers', 'gone']) await createGroup(server, id);
});

/** The fields of a log entry that a call determines. */
type Expected = Partial<Record<keyof LogEntryEntity, unknown>>;

interface Row {
  readonly does: string;
  /** Prepares documents and returns the call under test. */
  readonly by: () => Promise<() => PromiseLike<{ readonly status: number }>>;
  readonly status: number;
  readonly leaves: readonly Expected[];
}

const entity = { 'entity-type': 'document' };
const put = (uid: string, properties: object) =>
  server.request.put(`/api/v1/id/${uid}`).send({ ...entity, properties });
const run = (operation: string, uid: string, params: object = {}) =>
  server.request.post(`/api/v1/automation/${operation}`).send({ input: uid, params });
const setAcl = (uid: string, username: string) =>
  server.request.post('/graphql').send({
    query: `mutation ($id: ID!, $aces: [NewAce!]!) { setAcl(id: $id, acl: "local", aces: $aces) { uid } }`,
    variables: { id: uid, aces: [{ username, permission: 'Read' }] },
  });

const document = { category: 'eventDocumentCategory' };
const authority = (eventId: string, extended: object): Expected => ({
  eventId,
  category: 'userGroup',
  extended,
  docUUID: null,
  comment: null,
});

/** Calls with the log entries that each of them writes. */
const rows: readonly Row[] = [
  {
    does: 'POST of a document',
    by: async () => () => server.request.post('/api/v1/path/').send({ ...entity, type: 'File', name: 'new' }),
    status: 201,
    leaves: [{ ...document, eventId: 'documentCreated', docPath: '/new' }],
  },
  {
    does: 'Document.Create',
    by: async () => () => run('Document.Create', '/', { type: 'File', name: 'newer' }),
    status: 200,
    leaves: [{ ...document, eventId: 'documentCreated', docPath: '/newer' }],
  },
  {
    does: 'PUT of a document',
    by: async () => {
      const { uid } = await createDocument(server);
      return () => put(uid, { 'dc:title': 'x' }).set('Update-Comment', 'why');
    },
    status: 200,
    leaves: [
      {
        ...document,
        eventId: 'documentModified',
        comment: 'why',
        extended: { changes: [{ property: 'dc:title', before: null, after: 'x' }] },
      },
    ],
  },
  {
    does: 'PUT that changes nothing',
    by: async () => {
      const { uid } = await createDocument(server, { properties: { 'dc:title': 'x' } });
      return () => put(uid, { 'dc:title': 'x' });
    },
    status: 200,
    leaves: [],
  },
  {
    does: 'PUT that is refused',
    by: async () => {
      const { uid } = await createDocument(server);
      return () => put(uid, { 'dc:title': 'x', 'dc:nature': 'no such one' });
    },
    status: 422,
    leaves: [],
  },
  {
    does: 'DELETE of a document with others below',
    by: async () => {
      const { uid, path } = await createDocument(server, { parent: '/', type: 'Folder', name: 'doomed' });
      await createDocument(server, { parent: path });
      return () => server.request.delete(`/api/v1/id/${uid}`).set('Update-Comment', 'enough');
    },
    status: 204,
    leaves: [{ ...document, eventId: 'documentRemoved', docPath: '/doomed', comment: 'enough' }],
  },
  {
    does: 'a change of ACLs',
    by: async () => {
      const { uid } = await createDocument(server);
      return () => setAcl(uid, 'ann');
    },
    status: 200,
    leaves: [{ ...document, eventId: 'documentSecurityUpdated', extended: { acls: ['local'] } }],
  },
  {
    does: 'a change of ACLs that changes nothing',
    by: async () => {
      const { uid } = await createDocument(server);
      await setAcl(uid, 'ann');
      return () => setAcl(uid, 'ann');
    },
    status: 200,
    leaves: [],
  },
  {
    does: 'a read',
    by: async () => () => server.request.get('/api/v1/path/@children'),
    status: 200,
    leaves: [],
  },
  {
    does: 'POST of a user',
    by: async () => () =>
      server.request.post('/api/v1/user').send(userBody({ username: 'new', groups: ['members'] })),
    status: 201,
    leaves: [authority('user_created', { id: 'new' })],
  },
  {
    does: 'PUT of a user',
    by: async () => () =>
      server.request.put('/api/v1/user/ann').send(userBody({ groups: ['readers'] }, { id: 'ann' })),
    status: 200,
    leaves: [authority('user_modified', { id: 'ann' })],
  },
  {
    does: 'another password',
    by: async () => () =>
      as(server, 'bob')
        .put('/api/v1/me/changepassword')
        .send({ oldPassword: 'secret', newPassword: 'secret' }),
    status: 200,
    leaves: [{ ...authority('user_modified', { id: 'bob' }), principalName: 'bob' }],
  },
  {
    does: 'DELETE of a user',
    by: async () => () => server.request.delete('/api/v1/user/gone'),
    status: 204,
    leaves: [authority('user_deleted', { id: 'gone' })],
  },
  {
    does: 'POST of a group',
    by: async () => () =>
      server.request.post('/api/v1/group').send(groupBody({ id: 'new-group', memberUsers: ['ann'] })),
    status: 201,
    leaves: [authority('group_created', { id: 'new-group' })],
  },
  {
    does: 'PUT of a group',
    by: async () => () =>
      server.request.put('/api/v1/group/readers').send(groupBody({ id: 'readers', grouplabel: 'x' })),
    status: 200,
    leaves: [
      authority('group_modified', { id: 'readers', changed: [expect.stringContaining('grouplabel')] }),
    ],
  },
  {
    does: 'DELETE of a group',
    by: async () => () => server.request.delete('/api/v1/group/gone'),
    status: 204,
    leaves: [authority('group_deleted', { id: 'gone' })],
  },
  {
    does: 'a user who joins a group',
    by: async () => () => server.request.post('/api/v1/user/ann/group/writers'),
    status: 201,
    leaves: [authority('user_modified', { id: 'ann', joined: 'writers' })],
  },
  {
    does: 'a user who joins it again',
    by: async () => () => server.request.post('/api/v1/group/writers/user/ann'),
    status: 201,
    leaves: [],
  },
  {
    does: 'a user who leaves it',
    by: async () => () => server.request.delete('/api/v1/user/ann/group/writers'),
    status: 200,
    leaves: [authority('user_modified', { id: 'ann', left: 'writers' })],
  },
  {
    does: 'a group in a group',
    by: async () => () =>
      server.request
        .post('/graphql')
        .send({ query: 'mutation { addMemberGroup(member: "readers", group: "writers") { id } }' }),
    status: 200,
    leaves: [authority('group_modified', { id: 'readers', joined: 'writers' })],
  },
];

describe('§2.6 the log entries of a call', () => {
  test.each(rows.map((row) => [row.does, row] as const))(
    '%s writes exactly the expected entries',
    async (_, { by, status: expected, leaves }) => {
      const call = await by();
      const before = await latestId(server);
      expect((await call()).status).toBe(expected);
      // Entries of log-ins may be written at the same time.
      const all = await loggedAfter(server, before);
      const left = all.filter(({ category }) => category !== 'NuxeoAuthentication');
      expect(left).toEqual(
        leaves.map((entry) =>
          expect.objectContaining({ principalName: 'Administrator', extended: {}, ...entry }),
        ),
      );
    },
  );
});

describe('§2.6 hidden documents', () => {
  test('write no log entries unless they have the facet ForceAudit', async () => {
    const created = async (facets: string[]) => {
      const { uid } = await createDocument(server);
      const { prisma } = server.database;
      await prisma.document.updateMany({ where: { id: uid }, data: { facets } });
      await prisma.logEntry.deleteMany({ where: { docUuid: uid } });
      await put(uid, { 'dc:title': 'x' }).expect(200);
      return eventsOf(server, { uid });
    };
    expect(await created(['SystemDocument'])).toEqual([]);
    expect(await created(['HiddenInNavigation'])).toEqual([]);
    expect(await created(['HiddenInNavigation', 'ForceAudit'])).toEqual(['documentModified']);
    expect(await created([])).toEqual(['documentModified']);
  });
});

describe('the SQL cost of log entries', () => {
  test('is no additional statement for documents', async () => {
    const cost = async (facets: string[]) => {
      const { uid } = await createDocument(server);
      await server.database.prisma.document.updateMany({ where: { id: uid }, data: { facets } });
      return [
        statements(await put(uid, { 'dc:title': 'x' }).expect(200)),
        statements(await server.request.delete(`/api/v1/id/${uid}`).expect(204)),
      ];
    };
    expect(await cost([])).toEqual(await cost(['SystemDocument']));
  });

  test('is the same for a deletion with five children as with none', async () => {
    const { uid, path } = await createDocument(server, { type: 'Folder' });
    const other = await createDocument(server, { type: 'Folder' });
    for (let child = 0; child < 5; child += 1) await createDocument(server, { parent: path });
    const [many, none] = [
      await server.request.delete(`/api/v1/id/${uid}`).expect(204),
      await server.request.delete(`/api/v1/id/${other.uid}`).expect(204),
    ];
    expect(statements(many)).toBe(statements(none));
  });
});

test('§2.6 a transaction that is rolled back writes no log entries', async () => {
  const { uid } = await createDocument(server);
  const before = await latestId(server);
  const query = `mutation ($id: ID!) {
    one: updateDocument(id: $id, document: { properties: { dc_title: "x" } }) { uid }
  }`;
  await expect(askGraphql(server.request, query, { id: uid })).rejects.toThrow();
  const both = `mutation ($id: ID!, $change: JSON) {
    one: updateDocument(id: $id, document: { properties: $change }) { uid }
    two: updateDocument(id: "00000000-0000-4000-8000-000000000000", document: { properties: $change }) { uid }
  }`;
  await expect(askGraphql(server.request, both, { id: uid, change: { 'dc:title': 'x' } })).rejects.toThrow();
  const left = await loggedAfter(server, before);
  expect(left.filter(({ category }) => category === 'eventDocumentCategory')).toEqual([]);
});
