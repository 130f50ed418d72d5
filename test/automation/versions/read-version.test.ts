import { beforeAll, describe, expect, test } from '@jest/globals';
import { idOf, versionedDocument } from '../../rest/versions/version-requests.ts';
import { checkConsistency } from '../../store/consistency.ts';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { atId, createDocument, readDocument } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const { request } = server;
const bob = useUser(server, 'bob');
checkConsistency(server);

/** The document, and a version that bob may not read. */
let uid: string;
let version: string;
let mine: string;
beforeAll(async () => {
  const folder = await createDocument(server, { type: 'Folder' });
  await setAcl(server, folder.path, [deny('bob', 'ReadVersion'), grant('bob', 'Everything')]);
  const { path, versions, ...document } = await versionedDocument(server, ['MINOR']);
  await call(request, 'Document.Move', { input: path, params: { target: folder.uid } }).expect(200);
  [uid, version] = [document.uid, idOf(versions, 0)];
  mine = (await createDocument(server, { type: 'Folder', parent: folder.path })).path;
});

describe('§2.5 a version without ReadVersion, though its document is granted Everything,', () => {
  test('is not read by any of its operations', async () => {
    await bob.get(atId(uid)).expect(200);
    await bob.get(atId(version)).expect(403);
    for (const id of [
      'Document.Copy',
      'Document.Unlock',
      'Document.UnpublishAll',
      'Document.RemoveProxies',
    ]) {
      const params = id === 'Document.Copy' ? { target: mine, name: 'stolen' } : {};
      const { body } = await call(bob, id, { input: version, params }).expect(403);
      expect([id, body.message]).toEqual([id, expect.stringContaining("Privilege 'ReadVersion'")]);
    }
    await bob.get(`/api/v1/path${mine}/stolen`).expect(404);
  });

  test('is not restored', async () => {
    const { properties } = await readDocument(request, uid);
    const { body } = await call(bob, 'Document.RestoreVersion', { input: version }).expect(403);
    expect(body.message).toContain("Privilege 'ReadVersion'");
    expect(await readDocument(request, uid)).toHaveProperty('properties', properties);
  });
});
