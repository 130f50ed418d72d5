import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { call } from '../../automation/calls.ts';
import { contradictions } from '../../store/consistency.ts';
import { ask, deny, grant, setAcl } from '../../support/acls.ts';
import { createDocument } from '../../support/factories.ts';
import { start, statements, type TestServer } from '../../support/server.ts';
import { as, createUser } from '../../support/users.ts';
import { labelsOf, put, read, type State, versionsOf } from './requests.ts';

let server: TestServer;
let bob: TestServer['request'];
beforeAll(async () => {
  server = await start();
  await createUser(server, 'bob');
  bob = as(server, 'bob');
});
afterAll(() => server.stop());

afterEach(async () => {
  expect(await contradictions(server)).toEqual([]);
});

const remove = (id: string, request = server.request) => request.delete(`/api/v1/id/${id}`);

/** A document with so many versions, checked out after the last one. */
async function documentOf(options: readonly string[]) {
  const document = await createDocument(server);
  for (const [index, value] of options.entries()) {
    const headers = { 'X-Versioning-Option': value };
    await put(server.request, document.uid, { 'dc:title': String(index) }, headers).expect(200);
  }
  await put(server.request, document.uid, { 'dc:title': 'now' }).expect(200);
  return { ...document, versions: await versionsOf(server.request, document.uid) };
}

const idOf = (versions: readonly State[], index: number): string => versions.at(index)?.uid ?? '';

describe('DELETE of a version (§4.1, §11)', () => {
  test('takes it out of the history; the one before is the latest then', async () => {
    const { uid, versions } = await documentOf(['MINOR', 'MAJOR', 'MAJOR', 'MINOR']);
    await remove(idOf(versions, -1)).expect(204);
    await remove(idOf(versions, 2)).expect(204);
    await server.request.get(`/api/v1/id/${idOf(versions, -1)}`).expect(404);
    const left = await versionsOf(server.request, uid);
    expect(left.map(({ versionLabel }) => versionLabel)).toEqual(['0.1', '1.0']);
    expect(left[1]).toMatchObject({ isLatestVersion: true, isLatestMajorVersion: true });
    await remove(idOf(versions, 1)).expect(204);
    expect(await versionsOf(server.request, uid)).toMatchObject([
      { isLatestVersion: true, isLatestMajorVersion: false },
    ]);
    await remove(idOf(versions, 0)).expect(204);
    expect(await versionsOf(server.request, uid)).toEqual([]);
    expect((await read(server.request, uid)).title).toBe('now');
    const entries = await server.database.prisma.logEntry.findMany({
      where: { docUuid: uid, eventId: 'versionRemoved' },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ comment }) => comment)).toEqual(['2.1', '2.0', '1.0', '0.1']);
  });

  test('is refused while the document is checked in on it, and while a proxy shows it', async () => {
    const { uid, versions } = await documentOf(['MINOR', 'MINOR']);
    const target = '/default-domain/sections';
    const [first, second] = [idOf(versions, 0), idOf(versions, 1)];
    const proxy = await call(server.request, 'Document.PublishToSection', {
      input: first,
      params: { target },
    });
    expect((await remove(first).expect(403)).body.message).toBe(
      `${first} cannot be deleted: the proxy ${proxy.body.uid} shows it`,
    );
    await call(server.request, 'Document.RestoreVersion', { input: second }).expect(200);
    expect((await remove(second).expect(403)).body.message).toBe(
      `${second} cannot be deleted: its document is checked in on it`,
    );
    await remove(proxy.body.uid).expect(204);
    await remove(first).expect(204);
    await call(server.request, 'Document.CheckOut', { input: uid }).expect(200);
    await remove(second).expect(204);
  });

  test('needs WriteVersion on the document, and no more; If-Match is held against the version', async () => {
    const { path, versions } = await documentOf(['MINOR', 'MINOR']);
    await setAcl(server, path, [
      grant('bob', 'Remove'),
      grant('bob', 'WriteProperties'),
      deny('bob', 'Everything'),
    ]);
    expect((await remove(idOf(versions, 0), bob).expect(403)).body.message).toBe(
      "Privilege 'WriteVersion' is not granted to 'bob'",
    );
    await setAcl(server, path, [grant('bob', 'WriteVersion'), deny('bob', 'Everything')]);
    await remove(idOf(versions, 0), bob).set('If-Match', '"7-7"').expect(412);
    await remove(idOf(versions, 0), bob).set('If-Match', '"1-0"').expect(204);
    await server.request.post('/api/v1/automation/Document.Lock').send({ input: path }).expect(200);
    expect((await remove(idOf(versions, 1), bob).expect(403)).body.message).toMatch(/locked/);
  });

  test('is the same for operations, a list and what else it names', async () => {
    const [one, two] = [await documentOf(['MINOR', 'MINOR']), await documentOf(['MINOR'])];
    const input = [idOf(one.versions, 0), two.uid, idOf(two.versions, 0)];
    await call(server.request, 'Document.Delete', { input }).expect(204);
    expect(await labelsOf(server.request, one.uid)).toEqual(['0.2']);
    await server.request.get(`/api/v1/id/${two.uid}`).expect(404);
  });

  test('costs as much among many as among few', async () => {
    const [few, many] = [await documentOf(['MINOR', 'MINOR']), await documentOf(Array(15).fill('MINOR'))];
    const cost = async (id: string) => statements(await remove(id).expect(204));
    expect(await cost(idOf(many.versions, -1))).toBe(await cost(idOf(few.versions, -1)));
  });

  test('a document takes its versions and proxies along', async () => {
    const { uid, versions } = await documentOf(['MINOR', 'MINOR']);
    const params = { target: '/default-domain/sections' };
    const proxy = await call(server.request, 'Document.PublishToSection', { input: uid, params }).expect(200);
    await remove(uid).expect(204);
    for (const { uid: id } of [...versions, proxy.body])
      await server.request.get(`/api/v1/id/${id}`).expect(404);
    const ids = versions.map(({ uid: id }) => id);
    expect(await server.database.prisma.documentBlob.count({ where: { documentId: { in: ids } } })).toBe(0);
  });
});

describe('a version (§11)', () => {
  test('is not written to, by nobody and by nothing', async () => {
    const { path, versions } = await documentOf(['MINOR']);
    const id = idOf(versions, 0);
    const message = `${id} is a version, and versions cannot be modified`;
    expect((await put(server.request, id, { 'dc:title': 'x' }).expect(400)).body.message).toBe(message);
    await put(server.request, id, {}).expect(400);
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
      'Document.Move': { target: '/default-domain' },
      'Document.AddFacet': { facet: 'WebView' },
    };
    for (const [operation, params] of Object.entries(writes)) {
      const { status } = await call(bob, operation, { input: id, params });
      expect([operation, status]).toEqual([operation, 400]);
    }
    expect(await read(server.request, id)).toEqual(versions[0]);
  });

  test('is where its document is, and seen by whoever may see it there', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const { uid, versions } = await documentOf(['MINOR']);
    await setAcl(server, folder.path, [grant('bob', 'Read')]);
    await bob.get(`/api/v1/id/${idOf(versions, 0)}`).expect(403);
    await call(server.request, 'Document.Move', { input: uid, params: { target: folder.path, name: 'new' } });
    expect(await read(bob, idOf(versions, 0))).toMatchObject({ path: `${folder.path}/new`, name: 'new' });
    await bob.get(`/api/v1/path${folder.path}/new`).expect(200);
    const { body } = await server.request.get(`/api/v1/path${folder.path}/@children`).expect(200);
    expect(body.entries).toHaveLength(1);
  });
});

describe('versions in GraphQL (§11)', () => {
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
    ask<Answer>(server.request, query, { id, size, offset });

  test('the history is paged, the last version first; proxies are by their paths', async () => {
    const { uid, versions } = await documentOf(['MINOR', 'MINOR', 'MAJOR']);
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

  test('fetch.document: versionLabel tells the label of every document', async () => {
    const { uid, versions } = await documentOf(['MINOR']);
    const fetched = async (id: string) =>
      (await server.request.get(`/api/v1/id/${id}`).set('fetch.document', 'versionLabel').expect(200)).body
        .versionLabel;
    const fresh = await createDocument(server);
    expect([await fetched(uid), await fetched(idOf(versions, 0)), await fetched(fresh.uid)]).toEqual([
      '0.1+',
      '0.1',
      '',
    ]);
  });
});
