import { describe, expect, test } from '@jest/globals';
import { checkConsistency } from '../../store/consistency.ts';
import { grant, setAcl } from '../../support/acls.ts';
import { createDocument, readDocument, updateDocument } from '../../support/documents.ts';
import { askGraphql, call } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import { idOf, versionedDocument } from './version-requests.ts';

const server = useServer();
const bob = useUser(server, 'bob');
checkConsistency(server);

describe('§11 a version', () => {
  test('cannot be modified by requests or operations', async () => {
    const { path, versions } = await versionedDocument(server, ['MINOR']);
    const id = idOf(versions, 0);
    const message = `${id} is a version, and versions cannot be modified.`;
    expect((await updateDocument(server.request, id, { 'dc:title': 'x' }).expect(400)).body.message).toBe(
      message,
    );
    await updateDocument(server.request, id, {}).expect(400);
    const child = { 'entity-type': 'document', type: 'File', name: 'x' };
    expect((await server.request.post(`/api/v1/id/${id}`).send(child).expect(400)).body.message).toBe(
      message,
    );
    await setAcl(server, path, [grant('bob', 'Everything')]);
    const writes: Record<string, Record<string, unknown>> = {
      'Document.AddPermission': { users: 'bob', permission: 'Read' },
      'Document.BlockPermissionInheritance': {},
      'Document.Update': { properties: 'dc:title=x' },
      'Document.SetLifeCycle': { value: 'approve' },
      'Document.Lock': {},
      'Document.Trash': {},
      'Document.Untrash': {},
      'Document.Move': { target: '/default-domain' },
      'Document.AddFacet': { facet: 'WebView' },
    };
    for (const [operation, params] of Object.entries(writes)) {
      const { status } = await call(bob, operation, { input: id, params });
      expect([operation, status]).toEqual([operation, 400]);
    }
    expect(await readDocument(server.request, id)).toEqual(versions[0]);
  });

  test('is not restored from the trash, and its document stays there', async () => {
    const { uid, versions } = await versionedDocument(server, ['MINOR']);
    await call(server.request, 'Document.Trash', { input: uid }).expect(200);
    const params = { version: 'minor' };
    await call(server.request, 'Document.CheckIn', { input: uid, params }).expect(200);
    const made = (await call(server.request, 'Document.GetLastVersion', { input: uid }).expect(200)).body;
    for (const id of [idOf(versions, 0), made.uid]) {
      const undelete = { input: id, params: { value: 'undelete' } };
      const message = `${id} is a version, and versions cannot be modified.`;
      for (const refused of [
        await call(server.request, 'Document.Untrash', { input: id }).expect(400),
        await call(server.request, 'Document.SetLifeCycle', undelete).expect(400),
      ])
        expect(refused.body.message).toBe(message);
    }
    expect((await readDocument(server.request, uid)).isTrashed).toBe(true);
  });

  test('has the path of its document and is readable where the document is', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const { uid, versions } = await versionedDocument(server, ['MINOR']);
    await setAcl(server, folder.path, [grant('bob', 'Read')]);
    await bob.get(`/api/v1/id/${idOf(versions, 0)}`).expect(403);
    await call(server.request, 'Document.Move', { input: uid, params: { target: folder.path, name: 'new' } });
    expect(await readDocument(bob, idOf(versions, 0))).toMatchObject({
      path: `${folder.path}/new`,
      name: 'new',
    });
    await bob.get(`/api/v1/path${folder.path}/new`).expect(200);
    const { body } = await server.request.get(`/api/v1/path${folder.path}/@children`).expect(200);
    expect(body.entries).toHaveLength(1);
  });
});

describe('§11 versions in GraphQL', () => {
  interface Answer {
    document: {
      versionLabel: string;
      versionComment: string | null;
      isLatestVersion: boolean | null;
      versions: {
        resultsCount: number;
        entries: Array<{ uid: string; versionLabel: string; live: { uid: string } }>;
      };
      proxies: {
        resultsCount: number;
        entries: Array<{ uid: string; proxyTarget: { versionLabel: string } }>;
      };
    };
  }
  const query = `query ($id: ID!, $size: Int, $offset: Int) { document(id: $id) {
    versionLabel versionComment isLatestVersion
    versions(pageSize: $size, offset: $offset) { resultsCount entries { uid versionLabel live { uid } } }
    proxies { resultsCount entries { uid proxyTarget { versionLabel } } }
  } }`;
  const asked = (id: string, size = 50, offset = 0) =>
    askGraphql<Answer>(server.request, query, { id, size, offset });

  test('a document has a paged history, the latest version first, and a list of proxies', async () => {
    const { uid, versions } = await versionedDocument(server, ['MINOR', 'MINOR', 'MAJOR']);
    const params = { target: '/default-domain/sections' };
    await call(server.request, 'Document.PublishToSection', { input: idOf(versions, 1), params }).expect(200);
    const { document } = await asked(uid, 2);
    expect(document).toMatchObject({
      versionLabel: '1.0+',
      isLatestVersion: null,
      versions: { resultsCount: 3 },
    });
    expect(document.versions.entries.map(({ versionLabel }) => versionLabel)).toEqual(['1.0', '0.2']);
    expect(document.versions.entries[0]?.live.uid).toBe(uid);
    expect(document.proxies).toMatchObject({
      resultsCount: 1,
      entries: [{ proxyTarget: { versionLabel: '0.2' } }],
    });
    const rest = (await asked(idOf(versions, 0), 2, 2)).document;
    expect(rest.versions.entries.map(({ versionLabel }) => versionLabel)).toEqual(['0.1']);
    expect(rest).toMatchObject({ versionLabel: '0.1', isLatestVersion: false });
  });

  test('fetch.document: versionLabel returns the label of every document', async () => {
    const { uid, versions } = await versionedDocument(server, ['MINOR']);
    const fetched = async (id: string) =>
      (await server.request.get(`/api/v1/id/${id}`).set('fetch.document', 'versionLabel').expect(200)).body
        .versionLabel;
    const fresh = await createDocument(server);
    const former = await versionedDocument(server, ['MINOR']);
    await server.request.delete(`/api/v1/id/${idOf(former.versions, 0)}`).expect(204);
    expect(await fetched(former.uid)).toBe('0.1+');
    expect([await fetched(uid), await fetched(idOf(versions, 0)), await fetched(fresh.uid)]).toEqual([
      '0.1+',
      '0.1',
      '',
    ]);
  });
});
