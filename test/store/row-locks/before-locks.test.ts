import { expect, test } from '@jest/globals';
import { only, setAcl } from '../../support/acls.ts';
import { createDocument, missingId } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob', ['members']);
const { request } = server;

/** Does something while another transaction has the lock of a document. */
const whileHeld = (uid: string, work: () => Promise<unknown>) =>
  server.database.prisma.$transaction(
    async (blocker) => {
      await blocker.$queryRaw`SELECT id FROM document WHERE id = ${uid}::uuid FOR UPDATE`;
      await work();
    },
    { timeout: 60_000 },
  );

const denied = (permission: string) => ({
  message: expect.stringMatching(`^Privilege '${permission}' is not granted to 'bob' on the document .+\\.$`),
});

// §4.1
test('a forbidden deletion of several documents is refused before they or their subtrees are locked', async () => {
  const folder = await createDocument(server, { type: 'Folder' });
  const { uid } = await createDocument(server, { parent: folder.path });
  const root = (await request.get('/api/v1/path/').expect(200)).body.uid;
  await whileHeld(uid, async () => {
    for (const id of [root, folder.uid, uid]) {
      const { body } = await bob.delete(`/api/v1/bulk;id=${id}`).expect(403);
      expect(body).toMatchObject(denied('Remove'));
    }
    const { body } = await call(bob, 'Document.Delete', { input: [folder.uid] }).expect(403);
    expect(body).toMatchObject(denied('Remove'));
    await bob.delete(`/api/v1/bulk;id=${folder.uid};id=${missingId}`).expect(404);
    const whole = await request.delete(`/api/v1/bulk;id=${root}`).expect(403);
    expect(whole.body.message).toBe('The root of a repository cannot be deleted.');
  });
});

test('a forbidden deletion of versions is refused before their document is locked', async () => {
  const { uid } = await createDocument(server);
  await call(request, 'Document.CheckIn', { input: uid, params: { version: 'minor' } }).expect(200);
  const version = (await call(request, 'Document.GetLastVersion', { input: uid }).expect(200)).body.uid;
  await whileHeld(uid, async () => {
    const { body } = await bob.delete(`/api/v1/bulk;id=${version}`).expect(403);
    expect(body).toMatchObject(denied('WriteVersion'));
  });
});

test('a forbidden change of several documents is refused before any of them is locked', async () => {
  const { uid } = await createDocument(server);
  const changed = { 'entity-type': 'document', properties: { 'dc:title': 'x' } };
  await whileHeld(uid, async () => {
    const { body } = await bob.put(`/api/v1/bulk;id=${uid}`).send(changed).expect(403);
    expect(body).toMatchObject(denied('WriteProperties'));
    await bob.put(`/api/v1/bulk;id=${uid};id=${missingId}`).send(changed).expect(404);
  });
});

// §4.7
test('a forbidden start of a workflow is refused before its documents are locked', async () => {
  const { uid } = await createDocument(server);
  const start = {
    'entity-type': 'workflow',
    workflowModelName: 'SerialDocumentReview',
    attachedDocumentIds: [uid],
  };
  await whileHeld(uid, async () => {
    const { body } = await bob.post('/api/v1/workflow').send(start).expect(403);
    expect(body).toMatchObject(denied('ReadWrite'));
  });
});

// §11
test('unpublishing an unreadable document is refused before its proxies are locked', async () => {
  const { uid, path } = await createDocument(server);
  const params = { target: '/default-domain/sections' };
  const proxy = await call(request, 'Document.PublishToSection', { input: uid, params }).expect(200);
  await setAcl(server, path, only('Administrator', 'Everything'));
  await whileHeld(proxy.body.uid, async () => {
    const { body } = await call(bob, 'Document.UnpublishAll', { input: uid }).expect(403);
    expect(body).toMatchObject(denied('Read'));
  });
});

test('a forbidden restore of a version is refused before its document and the members are locked', async () => {
  const { uid } = await createDocument(server);
  await call(request, 'Document.CheckIn', { input: uid, params: { version: 'minor' } }).expect(200);
  const version = (await call(request, 'Document.GetLastVersion', { input: uid }).expect(200)).body.uid;
  await whileHeld(uid, async () => {
    const { body } = await call(bob, 'Document.RestoreVersion', { input: version }).expect(403);
    expect(body).toMatchObject(denied('WriteVersion'));
  });
});
