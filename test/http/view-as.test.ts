import { beforeAll, expect, test } from '@jest/globals';
import { setAcl } from '../support/acls.ts';
import { createDocument, type DocumentEntity } from '../support/documents.ts';
import { useServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { as, createUser } from '../support/users.ts';

const server = useServer();
let secret: DocumentEntity;

beforeAll(async () => {
  await createUser(server, 'ann', ['members']);
  await createUser(server, 'zoë', ['members']);
  secret = await createDocument(server, { type: 'Folder', properties: { 'dc:title': 'Secret' } });
  await setAcl(server, secret.path, [{ username: 'members', permission: 'Everything', granted: false }]);
});

const ask = (request: typeof server.request, user: string, query: string) =>
  request.post('/graphql').set('X-View-As', encodeURIComponent(user)).send({ query });

const viewsIn = async (): Promise<object[]> => {
  await server.journal.flush();
  const { body } = await server.request
    .post('/graphql')
    .send({ query: '{ logEntries(eventId: ["viewedAs"]) { entries { principalName extended } } }' });
  return body.data.logEntries.entries;
};

test('§5 answers a query of an administrator as it answers the other user, and logs the administrator', async () => {
  const query = `{ me { id isAdministrator } documents(ids: ["${secret.uid}"]) { uid } }`;
  const own = await server.request.post('/graphql').send({ query });
  expect(own.body.data.documents).toEqual([{ uid: secret.uid }]);
  const { body } = await ask(server.request, 'ann', query);
  expect(body.data).toEqual({ me: { id: 'ann', isAdministrator: false }, documents: [null] });
  await until(async () => (await viewsIn()).length === 1);
  expect(await viewsIn()).toEqual([
    { principalName: 'Administrator', extended: { as: 'ann', address: expect.any(String) } },
  ]);
  const other = await ask(server.request, 'zoë', '{ me { id } }');
  expect(other.body.data).toEqual({ me: { id: 'zoë' } });
});

test.each([
  ['a mutation', `mutation { documentLock(input: { document: "/default-domain" }) { kind } }`],
  ['a query next to a mutation', 'query A { me { id } } mutation B { deleteTokens }'],
  ['a subscription', 'subscription { documentEvents { entry { id } } }'],
])('§5 rejects %s with X-View-As', async (_, query) => {
  const { status, body } = await ask(server.request, 'ann', query);
  expect([status, body.errors[0].message]).toEqual([403, 'Nothing can be changed while you view as ann.']);
});

test('§5 rejects X-View-As from users who are not administrators, for unknown users, and in REST', async () => {
  const byAnn = await ask(as(server, 'ann'), 'zoë', '{ me { id } }');
  expect(byAnn.status).toBe(403);
  const unknown = await ask(server.request, 'nobody', '{ me { id } }');
  expect([unknown.status, unknown.body.errors[0].message]).toEqual([404, 'user does not exist: nobody']);
  const invalid = await server.request
    .post('/graphql')
    .set('X-View-As', '%')
    .send({ query: '{ me { id } }' });
  expect(invalid.status).toBe(400);
  const { body } = await server.request
    .get('/api/v1/path/default-domain')
    .set('X-View-As', 'ann')
    .expect(403);
  expect(body.message).toBe('X-View-As is accepted only at /graphql, for queries.');
});
