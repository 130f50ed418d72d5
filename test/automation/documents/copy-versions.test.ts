import { describe, expect, test } from '@jest/globals';
import { idOf, labelOf, versionedDocument, versionsOf } from '../../rest/versions/version-requests.ts';
import { checkConsistency } from '../../store/consistency.ts';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { atId, createDocument, readDocument, updateDocument } from '../../support/documents.ts';
import { askGraphql, call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

// Each request of a test uses another port: without a public URL, blob addresses would differ.
const server = useServer({ PUBLIC_URL: 'http://quire.test', ADMIN_PASSWORD: 'another' });
const { request } = server;
const bob = useUser(server, 'bob');
checkConsistency(server);

const copy = (input: string, params: Record<string, unknown>, who = request) =>
  call(who, 'Document.Copy', { input, params });

const folder = (parent?: string) => createDocument(server, { type: 'Folder', parent });

/** A file whose first version has another title, file and state than it has now. */
async function changedSince() {
  const properties = { 'dc:title': 'Then', 'file:content': { content: 'then', name: 'then.txt' } };
  const file = await createDocument(server, { properties });
  const params = { value: 'approve' };
  await call(request, 'Document.FollowLifecycleTransition', { input: file.uid, params }).expect(200);
  await updateDocument(request, file.uid, { 'dc:source': 'x' }, { 'X-Versioning-Option': 'MAJOR' }).expect(
    200,
  );
  const now = { 'dc:title': 'Now', 'file:content': { content: 'now', name: 'now.txt' } };
  await updateDocument(request, file.uid, now).expect(200);
  const versions = await versionsOf(request, file.uid);
  return { ...file, version: idOf(versions, 0), versions };
}

describe('§11 Document.Copy of a version', () => {
  test('makes a live document of that time at the target, checked out and without versions', async () => {
    const [to, file] = [await folder(), await changedSince()];
    const version = await readDocument(request, file.version);
    const { body } = await copy(file.version, { target: to.path }).expect(200);
    expect(body).toMatchObject({
      name: file.name,
      path: `${to.path}/${file.name}`,
      parentRef: to.uid,
      title: 'Then',
      state: 'approved',
      isVersion: false,
      isCheckedOut: true,
      changeToken: '0-0',
    });
    for (const field of ['versionLabel', 'versionableId', 'isLatestVersion'])
      expect(body).not.toHaveProperty(field);
    expect(body.facets).not.toContain('Immutable');
    const { properties } = await readDocument(request, body.uid);
    const { 'file:content': blob, ...others } = version.properties as Record<string, { digest: string }>;
    expect(properties).toMatchObject({ ...others, 'uid:major_version': 0, 'uid:minor_version': 0 });
    expect(properties['file:content']).toMatchObject({ digest: blob?.digest, name: 'then.txt' });
    expect(await versionsOf(request, body.uid)).toEqual([]);
    expect(await versionsOf(request, file.uid)).toEqual(file.versions);
    const { body: listed } = await request.get(`${atId(to.uid)}/@children`).expect(200);
    expect(listed.entries).toMatchObject([{ uid: body.uid }]);
    await request.delete(atId(file.uid)).expect(204);
    expect((await request.get(`${atId(body.uid)}/@blob`).expect(200)).text).toBe('then');
  });

  test('begins with version 0.1, takes a name, and is in the initial state where that is asked for', async () => {
    const [to, file] = [await folder(), await changedSince()];
    const params = { target: to.uid, name: 'again', resetLifeCycle: true };
    const { body } = await copy(file.version, params).expect(200);
    expect(body).toMatchObject({ name: 'again', state: 'project' });
    await call(request, 'Document.CheckIn', { input: body.uid, params: { version: 'minor' } }).expect(200);
    expect(await labelOf(server, body.uid)).toBe('0.1');
    expect(await copy(file.version, params).expect(200)).toHaveProperty(
      'body.name',
      expect.stringMatching(/^again\.\d+$/),
    );
  });

  test('has neither the lock nor the retention of the document', async () => {
    const [to, file] = [await folder(), await changedSince()];
    await call(request, 'Document.MakeRecord', { input: file.uid }).expect(200);
    await call(request, 'Document.Hold', { input: file.uid }).expect(200);
    await call(request, 'Document.Lock', { input: file.uid }).expect(200);
    const { body } = await copy(file.version, { target: to.uid }).expect(200);
    expect(body).toMatchObject({ isRecord: false, hasLegalHold: false, isUnderRetentionOrLegalHold: false });
    const { body: read } = await request.get(atId(body.uid)).set('fetch.document', 'lock').expect(200);
    expect(read).not.toHaveProperty('lockOwner');
    await updateDocument(request, body.uid, { 'dc:title': 'Mine' }).expect(200);
    await request.delete(atId(body.uid)).expect(204);
  });

  test('needs Read on it and AddChildren at the target, and keeps the ACLs of the document', async () => {
    const [to, file] = [await folder(), await changedSince()];
    const params = { target: to.uid };
    await setAcl(server, to.path, [grant('bob', 'AddChildren'), grant('bob', 'Read')]);
    await copy(file.version, params, bob).expect(403);
    await setAcl(server, file.path, [grant('bob', 'Read')]);
    const { body } = await copy(file.version, params, bob).expect(200);
    await setAcl(server, to.path, [grant('bob', 'Read')]);
    await copy(file.version, params, bob).expect(403);
    await bob.get(atId(body.uid)).expect(200);

    await setAcl(server, file.path, [deny('bob', 'Read')]);
    const { body: denied } = await copy(file.version, params).expect(200);
    await bob.get(atId(to.uid)).expect(200);
    await bob.get(atId(denied.uid)).expect(403);
  });

  test('of a collection has the members of that time, and may be put into the document itself', async () => {
    const [to, member] = [await folder(), await folder()];
    const collection = await createDocument(server, { type: 'Collection' });
    const params = { collection: collection.uid };
    await call(request, 'Document.AddToCollection', { input: member.uid, params }).expect(200);
    await call(request, 'Document.CheckIn', { input: collection.uid, params: { version: 'minor' } }).expect(
      200,
    );
    await call(request, 'Collection.RemoveFromCollection', { input: member.uid, params }).expect(200);
    const version = idOf(await versionsOf(request, collection.uid), 0);
    const { body } = await copy(version, { target: to.uid }).expect(200);
    const { properties } = await readDocument(request, body.uid);
    expect(properties['collection:documentIds']).toEqual([member.uid]);
    const { body: inside } = await copy(version, { target: collection.uid }).expect(200);
    expect(inside.parentRef).toBe(collection.uid);
  });

  test('is logged, found by searches, and done for lists and in GraphQL', async () => {
    const [to, file, other] = [await folder(), await changedSince(), await createDocument(server)];
    const { body } = await copy(`docs:${file.version},${other.uid}`, { target: to.uid }).expect(200);
    expect(body.entries).toHaveLength(2);
    const [{ uid }] = body.entries;
    const { body: log } = await request.get(`${atId(uid)}/@audit?eventId=documentCreatedByCopy`).expect(200);
    expect(log.entries).toMatchObject([{ comment: `default:${file.version}` }]);
    const query = `SELECT * FROM File WHERE ecm:parentId = '${to.uid}' AND ecm:isVersion = 0 AND dc:title = 'Then'`;
    const { body: found } = await request.get('/api/v1/search/execute').query({ query }).expect(200);
    expect(found.entries).toMatchObject([{ uid }]);
    const { documentCopy } = await askGraphql<{ documentCopy: { document: { isVersion: boolean } } }>(
      request,
      `mutation ($id: ID!, $target: String!) {
        documentCopy(input: { document: $id }, target: $target) { document { isVersion } } }`,
      { id: file.version, target: to.uid },
    );
    expect(documentCopy.document.isVersion).toBe(false);
  });

  test('costs as many statements as that of a document, and no version or root is a target', async () => {
    const [to, file] = [await folder(), await changedSince()];
    const ofVersion = statements(await copy(file.version, { target: to.uid }).expect(200));
    expect(ofVersion).toBe(statements(await copy(file.uid, { target: to.uid, name: 'live' }).expect(200)));
    expect(ofVersion).toBeLessThanOrEqual(10);
    const { versions } = await versionedDocument(server, ['MINOR']);
    await copy(file.version, { target: idOf(versions, 0) }).expect(400);
    await copy('/', { target: to.uid }).expect(403);
  });
});
