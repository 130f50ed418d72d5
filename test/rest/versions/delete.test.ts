import { describe, expect, test } from '@jest/globals';
import { checkConsistency } from '../../store/consistency.ts';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { readDocument } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import { idOf, labelsOf, versionedDocument, versionsOf } from './version-requests.ts';

const server = useServer();
const bob = useUser(server, 'bob');
checkConsistency(server);

const remove = (id: string, request = server.request) => request.delete(`/api/v1/id/${id}`);

describe('§4.1, §11 DELETE of a version', () => {
  test('removes it from the history and makes the previous version the latest', async () => {
    const { uid, versions } = await versionedDocument(server, ['MINOR', 'MAJOR', 'MAJOR', 'MINOR']);
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
    expect((await readDocument(server.request, uid)).title).toBe('now');
    const entries = await server.database.prisma.logEntry.findMany({
      where: { docUuid: uid, eventId: 'versionRemoved' },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ comment }) => comment)).toEqual(['2.1', '2.0', '1.0', '0.1']);
  });

  test('makes the version with the highest number the latest, whatever the clocks of the servers said', async () => {
    const { uid, versions } = await versionedDocument(server, ['MINOR', 'MAJOR', 'MAJOR', 'MINOR']);
    const data = { versionCreated: new Date('2001-01-01') };
    await server.database.prisma.document.updateMany({ where: { id: idOf(versions, 2) }, data });
    await remove(idOf(versions, -1)).expect(204);
    const left = await versionsOf(server.request, uid);
    expect(left.find(({ versionLabel }) => versionLabel === '2.0')).toMatchObject({
      isLatestVersion: true,
      isLatestMajorVersion: true,
    });
  });

  test('is refused while the document is checked in on it or a proxy refers to it', async () => {
    const { uid, versions } = await versionedDocument(server, ['MINOR', 'MINOR']);
    const target = '/default-domain/sections';
    const [first, second] = [idOf(versions, 0), idOf(versions, 1)];
    const proxy = await call(server.request, 'Document.PublishToSection', {
      input: first,
      params: { target },
    });
    expect((await remove(first).expect(403)).body.message).toBe(
      `The version ${first} cannot be deleted, because the proxy ${proxy.body.uid} shows it.`,
    );
    await call(server.request, 'Document.RestoreVersion', { input: second }).expect(200);
    expect((await remove(second).expect(403)).body.message).toBe(
      `The version ${second} cannot be deleted, because its document is checked in at this version.`,
    );
    await remove(proxy.body.uid).expect(204);
    await remove(first).expect(204);
    await call(server.request, 'Document.CheckOut', { input: uid }).expect(200);
    await remove(second).expect(204);
  });

  test('needs only WriteVersion on the document; If-Match is compared with the version', async () => {
    const { path, versions } = await versionedDocument(server, ['MINOR', 'MINOR']);
    await setAcl(server, path, [
      grant('bob', 'Remove'),
      grant('bob', 'WriteProperties'),
      deny('bob', 'Everything'),
    ]);
    expect((await remove(idOf(versions, 0), bob).expect(403)).body.message).toBe(
      `Privilege 'WriteVersion' is not granted to 'bob' on the document with the id ${idOf(versions, 0)}.`,
    );
    await setAcl(server, path, [grant('bob', 'WriteVersion'), deny('bob', 'Everything')]);
    await remove(idOf(versions, 0), bob).set('If-Match', '"7-7"').expect(412);
    await remove(idOf(versions, 0), bob).set('If-Match', '"1-0"').expect(204);
    await server.request.post('/api/v1/automation/Document.Lock').send({ input: path }).expect(200);
    expect((await remove(idOf(versions, 1), bob).expect(403)).body.message).toMatch(/locked/);
  });

  test('works in operations, also in a list with documents', async () => {
    const [one, two] = [
      await versionedDocument(server, ['MINOR', 'MINOR']),
      await versionedDocument(server, ['MINOR']),
    ];
    const input = [idOf(one.versions, 0), two.uid, idOf(two.versions, 0)];
    await call(server.request, 'Document.Delete', { input }).expect(204);
    expect(await labelsOf(server.request, one.uid)).toEqual(['0.2']);
    await server.request.get(`/api/v1/id/${two.uid}`).expect(404);
  });

  test('costs the same number of statements for many versions as for few', async () => {
    const [few, many] = [
      await versionedDocument(server, ['MINOR', 'MINOR']),
      await versionedDocument(server, Array(15).fill('MINOR')),
    ];
    const cost = async (id: string) => statements(await remove(id).expect(204));
    expect(await cost(idOf(many.versions, -1))).toBe(await cost(idOf(few.versions, -1)));
  });

  test('is part of DELETE of its document, together with the proxies', async () => {
    const { uid, versions } = await versionedDocument(server, ['MINOR', 'MINOR']);
    const params = { target: '/default-domain/sections' };
    const proxy = await call(server.request, 'Document.PublishToSection', { input: uid, params }).expect(200);
    await remove(uid).expect(204);
    for (const { uid: id } of [...versions, proxy.body])
      await server.request.get(`/api/v1/id/${id}`).expect(404);
    const ids = versions.map(({ uid: id }) => id);
    expect(await server.database.prisma.documentBlob.count({ where: { documentId: { in: ids } } })).toBe(0);
  });
});
