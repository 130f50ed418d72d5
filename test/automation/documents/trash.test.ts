import { describe, expect, test } from '@jest/globals';
import { checkConsistency } from '../../store/consistency.ts';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity, readDocument } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import { createTree, createVersion } from './trees.ts';

const server = useServer();
const bob = useUser(server, 'bob');
checkConsistency(server);

const trash = (input: string, who = server.request) => call(who, 'Document.Trash', { input });
const untrash = (input: string, who = server.request) => call(who, 'Document.Untrash', { input });
const folder = (parent?: string, name?: string) => createDocument(server, { type: 'Folder', parent, name });
const read = ({ uid }: Pick<DocumentEntity, 'uid'>) => readDocument(server.request, uid);

/** Three nested folders, with a document in the innermost one. */
async function tree() {
  const parent = await folder();
  const top = await folder(parent.path, 'top');
  const inner = await folder(top.path, 'inner');
  const leaf = await createDocument(server, { parent: inner.path, name: 'leaf' });
  return { parent, top, inner, leaf };
}

describe('Document.Trash', () => {
  test('trashes the whole tree and frees the name', async () => {
    const { parent, top, leaf } = await tree();
    await createVersion(server, leaf);
    const { body } = await trash(top.uid).expect(200);
    expect(body.name).toMatch(/^top\._\d{13}_\.trashed$/);
    expect(body).toMatchObject({ isTrashed: true, state: 'project', changeToken: '1-1' });
    expect(await read(leaf)).toMatchObject({ isTrashed: true, path: `${body.path}/inner/leaf` });
    const { entries } = (await server.request.get(`/api/v1/id/${parent.uid}/@children`)).body;
    expect(entries).toEqual([]);
    expect((await folder(parent.path, 'top')).path).toBe(top.path);
  });

  test('records the contributor', async () => {
    const { parent, top } = await tree();
    await setAcl(server, parent.path, [grant('bob', 'ReadWrite')]);
    const { body } = await trash(top.uid, bob).expect(200);
    expect(body.properties).toMatchObject({
      'dc:lastContributor': 'bob',
      'dc:contributors': ['Administrator', 'bob'],
    });
  });

  test('changes and logs nothing for a trashed document', async () => {
    const { top } = await tree();
    const first = (await trash(top.uid).expect(200)).body;
    expect((await trash(top.uid).expect(200)).body).toEqual(first);
    const where = { docUuid: top.uid, eventId: 'documentTrashed' };
    expect(await server.database.prisma.logEntry.count({ where })).toBe(1);
  });

  test('deletes a proxy permanently', async () => {
    const { parent, leaf } = await tree();
    const proxy = await createDocument(server, { parent: parent.path });
    const data = { isProxy: true, liveId: leaf.uid, targetId: await createVersion(server, leaf) };
    await server.database.prisma.document.updateMany({ where: { id: proxy.uid }, data });
    await trash(proxy.uid).expect(200);
    await server.request.get(`/api/v1/id/${proxy.uid}`).expect(404);
  });

  test('shortens a name that would be too long', async () => {
    const document = await createDocument(server, { name: 'ü'.repeat(127) });
    const { body } = await trash(document.uid).expect(200);
    expect(Buffer.byteLength(body.name)).toBeLessThanOrEqual(255);
    expect((await untrash(document.uid).expect(200)).body.name).toMatch(/^ü{115,}$/);
  });

  test('is the transition delete, and Document.Untrash is undelete', async () => {
    const { top } = await tree();
    const follow = (value: string) =>
      call(server.request, 'Document.FollowLifecycleTransition', { input: top.uid, params: { value } });
    expect((await follow('delete').expect(200)).body).toMatchObject({ isTrashed: true, state: 'project' });
    expect((await follow('undelete').expect(200)).body).toMatchObject({ isTrashed: false, state: 'project' });
  });

  test('costs as many statements for a tree as for one document', async () => {
    const counts: number[] = [];
    for (const [depth, breadth] of [
      [0, 0],
      [2, 4],
    ] as const) {
      const { top } = await tree();
      await createTree(server, top, depth, { breadth });
      const [there, back] = [await trash(top.uid).expect(200), await untrash(top.uid).expect(200)];
      counts.push(statements(there), statements(back));
    }
    expect(counts.slice(0, 2)).toEqual(counts.slice(2));
    expect(Math.max(...counts)).toBeLessThanOrEqual(10);
  });
});

describe('Document.Untrash', () => {
  test('restores the whole tree under its name', async () => {
    const { top, leaf } = await tree();
    const before = await read(leaf);
    await trash(top.uid).expect(200);
    const { body } = await untrash(top.uid).expect(200);
    expect(body).toMatchObject({ name: 'top', path: top.path, isTrashed: false });
    expect(await read(leaf)).toEqual({ ...before, changeToken: expect.any(String) });
    expect((await read(top)).changeToken).toBe(body.changeToken);
  });

  test('appends milliseconds to a name that is taken', async () => {
    const { parent, top } = await tree();
    await trash(top.uid).expect(200);
    await folder(parent.path, 'top');
    expect((await untrash(top.uid).expect(200)).body.name).toMatch(/^top\.\d{13}$/);
  });

  test('restores ancestors too, but not siblings', async () => {
    const { top, inner, leaf } = await tree();
    const beside = await createDocument(server, { parent: inner.path });
    await trash(inner.uid).expect(200);
    await trash(top.uid).expect(200);
    const { body } = await untrash(leaf.uid).expect(200);
    expect(body).toMatchObject({ path: leaf.path, isTrashed: false });
    expect((await read(leaf)).changeToken).toBe(body.changeToken);
    expect(await read(top)).toMatchObject({ path: top.path, isTrashed: false });
    expect(await read(inner)).toMatchObject({ path: inner.path, isTrashed: false });
    expect(await read(beside)).toMatchObject({ path: beside.path, isTrashed: true });
  });

  test('needs Remove on restored ancestors too', async () => {
    const { top, leaf } = await tree();
    await trash(top.uid).expect(200);
    const path = (await read(leaf)).path;
    await setAcl(server, path, [grant('bob', 'Remove'), deny('Everyone', 'Everything')]);
    await untrash(leaf.uid, bob).expect(403);
    await setAcl(server, (await read(top)).path, [grant('bob', 'Remove')]);
    await setAcl(server, String(top.path).replace(/\/[^/]+$/, ''), [grant('bob', 'RemoveChildren')]);
    await untrash(leaf.uid, bob).expect(200);
  });

  test('changes nothing for a document that is not in the trash', async () => {
    const { leaf } = await tree();
    const before = await read(leaf);
    expect((await untrash(leaf.uid).expect(200)).body).toEqual(before);
  });
});

// §11
test('Document.Untrash of a proxy leaves what it shows as it is', async () => {
  const section = await createDocument(server, { type: 'Section', parent: '/default-domain/sections' });
  const document = await createDocument(server);
  await trash(section.uid).expect(200);
  const params = { target: section.uid };
  await call(server.request, 'Document.PublishToSection', { input: document.uid, params }).expect(200);
  const [proxy] = await server.database.prisma.document.findMany({ where: { parentId: section.uid } });
  const before = await read({ uid: proxy?.id ?? '' });
  expect(before.isTrashed).toBe(true);
  await setAcl(server, '/default-domain/sections', [grant('bob', 'ReadWrite')]);
  const { body } = await untrash(before.uid, bob).expect(200);
  expect(body).toMatchObject({ isTrashed: false, properties: before.properties });
  expect(body.properties['dc:lastContributor']).toBe('Administrator');
  expect((await read(section)).isTrashed).toBe(false);
});

// §11
test('A trashed document is published under its former name, and a version of it copied under that', async () => {
  const [section, target] = [await createDocument(server, { type: 'Section' }), await folder()];
  const document = await createDocument(server, { name: 'former' });
  const version = await createVersion(server, document);
  await trash(document.uid).expect(200);
  const made = async (operation: string, input: string, params: Record<string, string>) =>
    (await call(server.request, operation, { input, params }).expect(200)).body;
  expect([
    await made('Document.PublishToSection', document.uid, { target: section.uid }),
    await made('Document.Copy', version, { target: target.uid }),
  ]).toMatchObject([
    { name: 'former', path: `${section.path}/former`, isTrashed: false },
    { name: 'former', path: `${target.path}/former`, isTrashed: false },
  ]);
});

describe('Document.EmptyTrash', () => {
  test('deletes the trashed documents that the caller can remove, at a constant cost', async () => {
    const counts: number[] = [];
    for (const many of [1, 1, 6]) {
      const parent = await folder();
      const kept = await folder(parent.path);
      for (let index = 0; index < many; index += 1) {
        const top = await folder(parent.path);
        await createTree(server, top, 1, { breadth: 2 });
        await trash(top.uid).expect(200);
      }
      const own = (await trash((await folder(parent.path)).uid).expect(200)).body;
      await setAcl(server, parent.path, [grant('bob', 'ReadWrite')]);
      await setAcl(server, own.path, [deny('bob', 'Remove')]);
      const done = await call(bob, 'Document.EmptyTrash', { params: { parent: parent.path } }).expect(200);
      counts.push(statements(done));
      const left = await server.database.prisma.document.findMany({
        where: { ancestorIds: { has: parent.uid } },
      });
      expect(left.map(({ id }) => id).sort()).toEqual([kept.uid, own.uid].sort());
    }
    // The first call also reads the user and the effective ACL, which are cached afterwards.
    expect(counts[1]).toBe(counts[2]);
  });

  test('logs each deleted document, but no hidden ones, versions and descendants', async () => {
    const parent = await folder();
    const tops = await Promise.all([folder(parent.path), folder(parent.path), folder(parent.path)]);
    const [one, hidden, locked] = tops as [DocumentEntity, DocumentEntity, DocumentEntity];
    const leaf = await createDocument(server, { parent: one.path });
    const facet = { params: { facet: 'HiddenInNavigation' } };
    await call(server.request, 'Document.AddFacet', { input: hidden.uid, ...facet }).expect(200);
    const version = await createVersion(server, leaf);
    for (const { uid } of tops) await trash(uid).expect(200);
    await call(server.request, 'Document.Lock', { input: locked.uid }).expect(200);
    const proxy = await createDocument(server, { parent: parent.path });
    const data = { isProxy: true, isTrashed: true, liveId: leaf.uid, targetId: version };
    await server.database.prisma.document.updateMany({ where: { id: proxy.uid }, data });
    await setAcl(server, parent.path, [grant('bob', 'ReadWrite')]);
    const { path } = await read(one);

    await call(bob, 'Document.EmptyTrash', { input: parent.uid }).expect(200);
    const left = await server.database.prisma.document.findMany({ where: { parentId: parent.uid } });
    expect(left.map(({ id }) => id)).toEqual([locked.uid]);
    const ids = [...tops, leaf, proxy].map(({ uid }) => uid);
    const eventId = { in: ['documentRemoved', 'proxyRemoved', 'versionRemoved'] };
    const told = await server.database.prisma.logEntry.findMany({ where: { docUuid: { in: ids }, eventId } });
    const of = { category: 'eventDocumentCategory', principalName: 'bob', docLifeCycle: 'project' };
    expect(told).toHaveLength(2);
    expect(told).toContainEqual(
      expect.objectContaining({ ...of, eventId: 'documentRemoved', docUuid: one.uid, docPath: path }),
    );
    expect(told).toContainEqual(
      expect.objectContaining({ ...of, eventId: 'proxyRemoved', docUuid: proxy.uid, docType: proxy.type }),
    );
  });
});
