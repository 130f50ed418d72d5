import { beforeAll, expect, test } from '@jest/globals';
import { createAccess } from '../../../src/loaders/acls/access.ts';
import type { RequestOptions } from '../../../src/scope.ts';
import { isWritePermission, permissions } from '../../../src/security/permissions.ts';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { contentOf } from '../../support/permission-table.ts';
import { askGraphql, call } from '../../support/requests.ts';
import { statements, type TestServer, useServer } from '../../support/server.ts';
import { as, createUser } from '../../support/users.ts';

const server = useServer();
let ann: TestServer['request'];
let bob: TestServer['request'];
beforeAll(async () => {
  await createUser(server, 'ann');
  await createUser(server, 'bob');
  [ann, bob] = [as(server, 'ann'), as(server, 'bob')];
});

/** A folder with Everything for ann and ReadWrite for bob, and a document in it. */
async function shared(): Promise<{ folder: DocumentEntity; document: DocumentEntity }> {
  const folder = await createDocument(server, { type: 'Folder' });
  await setAcl(server, folder.path, [grant('ann', 'Everything'), grant('bob', 'ReadWrite')]);
  return { folder, document: await createDocument(server, { parent: folder.path }) };
}

const lock = (who: TestServer['request'], { uid: input }: DocumentEntity) =>
  call(who, 'Document.Lock', { input });
const unlock = (who: TestServer['request'], { uid: input }: DocumentEntity) =>
  call(who, 'Document.Unlock', { input });

const lockOf = async ({ uid }: DocumentEntity) =>
  (await server.request.get(`/api/v1/id/${uid}`).set('fetch.document', 'lock').expect(200)).body;

/** The same lock, read through GraphQL. */
const lockIn = async ({ uid: id }: DocumentEntity) => {
  const query = 'query ($id: ID!) { document(id: $id) { lockOwner lockCreated } }';
  return (await askGraphql<{ document: Record<string, string | null> }>(server.request, query, { id }))
    .document;
};

const put = (who: TestServer['request'], { uid }: DocumentEntity) => {
  const body = { 'entity-type': 'document', properties: { 'dc:title': 'changed' } };
  return who.put(`/api/v1/id/${uid}`).send(body);
};

test('a lock has an owner and a time, and leaves the change token unchanged', async () => {
  const { document } = await shared();
  const before = Date.now();
  await lock(bob, document).expect(200);
  const { lockOwner, lockCreated, changeToken } = await lockOf(document);
  expect([lockOwner, changeToken]).toEqual(['bob', document.changeToken]);
  expect(Date.parse(String(lockCreated))).toBeGreaterThanOrEqual(before);
  expect(await lockIn(document)).toEqual({ lockOwner, lockCreated });
  await unlock(bob, document).expect(200);
  expect(Object.keys(await lockOf(document))).not.toContain('lockOwner');
  expect(await lockIn(document)).toEqual({ lockOwner: null, lockCreated: null });
});

test('a second Document.Lock or Document.Unlock changes and logs nothing', async () => {
  const { document } = await shared();
  await lock(bob, document).expect(200);
  const first = await lockOf(document);
  const again = await lock(bob, document).expect(200);
  expect(statements(again)).toBe(1);
  expect(await lockOf(document)).toEqual(first);
  await unlock(bob, document).expect(200);
  expect(statements(await unlock(bob, document).expect(200))).toBe(1);
  const entries = await server.database.prisma.logEntry.findMany({ where: { docUuid: document.uid } });
  expect(entries.map(({ eventId }) => eventId)).toEqual([
    'documentCreated',
    'documentLocked',
    'documentUnlocked',
  ]);
});

test('Document.Lock answers 409 when another user has the lock, to administrators too', async () => {
  const { document } = await shared();
  await lock(bob, document).expect(200);
  for (const who of [ann, server.request]) {
    const { body } = await lock(who, document).expect(409);
    expect(body.message).toBe(`The document ${document.uid} is already locked by bob.`);
  }
});

test('fifty concurrent calls by two users give the lock to one of them', async () => {
  const { document } = await shared();
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => lock(index % 2 ? ann : bob, document)),
  );
  const owner = (await lockOf(document)).lockOwner;
  const counted = [200, 409].map((status) => answers.filter((answer) => answer.status === status).length);
  expect(counted).toEqual([25, 25]);
  expect(['ann', 'bob']).toContain(owner);
});

test('only the owner of the lock and administrators can write a locked document', async () => {
  const { folder, document } = await shared();
  await lock(bob, document).expect(200);
  const { body } = await put(ann, document).expect(403);
  expect(body.message).toBe(`The document at ${document.path} is locked by 'bob'.`);
  await ann.delete(`/api/v1/id/${document.uid}`).expect(403);
  await ann.get(`/api/v1/id/${document.uid}`).expect(200);
  await put(bob, document).expect(200);
  await put(server.request, document).expect(200);
  await lock(bob, folder).expect(200);
  const child = { 'entity-type': 'document', type: 'File', name: 'x' };
  await ann.post(`/api/v1/id/${folder.uid}`).send(child).expect(403);
  const other = await createDocument(server, { parent: folder.path });
  await ann.delete(`/api/v1/id/${other.uid}`).expect(403);
  await bob.delete(`/api/v1/id/${other.uid}`).expect(204);
});

// §4.1
test('Document.Lock is 400 on a proxy, which shows a version, and an older lock can be removed', async () => {
  const { document } = await shared();
  const params = { target: '/default-domain/sections' };
  const published = { input: document.uid, params };
  const proxy = (await call(server.request, 'Document.PublishToSection', published).expect(200)).body;
  const { body } = await lock(server.request, proxy).expect(400);
  expect(body.message).toBe(`${proxy.uid} is a proxy of a version, and versions cannot be modified.`);
  const data = { lockOwner: 'bob', lockCreated: new Date() };
  await server.database.prisma.document.updateMany({ where: { id: proxy.uid }, data });
  await unlock(server.request, proxy).expect(200);
  expect(Object.keys(await lockOf(proxy))).not.toContain('lockOwner');
});

test('a lock does not prevent changes of ACLs', async () => {
  const { document } = await shared();
  await lock(bob, document).expect(200);
  const params = { users: ['bob'], permission: 'Read' };
  await call(ann, 'Document.AddPermission', { input: document.uid, params }).expect(200);
});

test('Document.Unlock needs the permission Unlock for the lock of another user', async () => {
  const { document } = await shared();
  await lock(server.request, document).expect(200);
  const { body } = await unlock(bob, document).expect(403);
  expect(body.message).toBe(
    `Privilege 'Unlock' is not granted to 'bob' on the document at ${document.path}.`,
  );
  await unlock(ann, document).expect(200);
  await put(bob, document).expect(200);
});

test('Document.Lock without Write answers 403, even when another user owns the lock', async () => {
  const { document } = await shared();
  await lock(ann, document).expect(200);
  await setAcl(server, document.path, [grant('bob', 'Read'), deny('Everyone', 'Everything')]);
  await lock(bob, document).expect(403);
});

test('a lock removes exactly the permissions in Write from other users', async () => {
  const { document } = await shared();
  const { aclId } = await server.database.prisma.document.findFirstOrThrow({ where: { id: document.uid } });
  const heldBy = (id: string, lockOwner: string | null, isAdministrator = false) => {
    const options = { repository: 'default' } as RequestOptions;
    const user = { id, groups: [], isAdministrator };
    return createAccess({ db: server.database, options, user }).permissionsOn({ aclId, lockOwner });
  };
  const denied = contentOf('Write');
  expect(await heldBy('ann', null)).toEqual(permissions);
  expect(await heldBy('ann', 'bob')).toEqual(permissions.filter((name) => !denied.has(name)));
  expect(await heldBy('bob', 'bob')).toEqual(await heldBy('bob', null));
  expect(await heldBy('bob', 'bob')).toContain('Write');
  expect(await heldBy('Administrator', 'bob', true)).toEqual(permissions);
  expect(permissions.filter(isWritePermission)).toEqual(permissions.filter((name) => denied.has(name)));
});
