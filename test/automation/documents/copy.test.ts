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

const copy = (input: string, params: Record<string, unknown>, who = server.request) =>
  call(who, 'Document.Copy', { input, params });

const folder = (parent?: string, name?: string) => createDocument(server, { type: 'Folder', parent, name });

const read = (path: string) => readDocument(server.request, path);

/** What a copy has in common with its document. */
const content = ({ type, title, state, properties }: DocumentEntity) => {
  const { 'file:content': blob, ...others } = properties as Record<string, Record<string, unknown> | null>;
  return { type, title, state, others, digest: blob?.digest };
};

describe('Document.Copy', () => {
  test('copies the whole tree, with properties, blobs and states, as new documents', async () => {
    const to = await folder();
    const top = await folder(undefined, 'top');
    const inner = await folder(top.path, 'inner');
    const properties = { 'dc:title': 'A', 'file:content': { content: 'hello', name: 'a.txt' } };
    const leaf = await createDocument(server, { parent: inner.path, name: 'leaf', properties });
    const params = { value: 'approve' };
    await call(server.request, 'Document.FollowLifecycleTransition', { input: leaf.uid, params }).expect(200);
    const before = await read(leaf.path);
    const { body } = await copy(top.uid, { target: to.path, name: 'new' }).expect(200);
    expect(body).toMatchObject({ name: 'new', parentRef: to.uid, changeToken: '0-0' });
    const copied = await read(`${to.path}/new/inner/leaf`);
    expect(content(copied)).toEqual(content(before));
    expect(copied).toMatchObject({ state: 'approved', changeToken: '0-0', isCheckedOut: true });
    expect(copied.uid).not.toBe(leaf.uid);
    expect(copied.parentRef).toBe((await read(`${to.path}/new/inner`)).uid);
    expect((await server.request.get(`/api/v1/id/${copied.uid}/@blob`).expect(200)).text).toBe('hello');
    await server.request.delete(`/api/v1/id/${top.uid}`).expect(204);
    expect((await server.request.get(`/api/v1/id/${copied.uid}/@blob`).expect(200)).text).toBe('hello');
  });

  test('resets the life cycle of the whole tree with resetLifeCycle', async () => {
    const [to, top] = [await folder(), await folder()];
    const leaf = await createDocument(server, { parent: top.path });
    for (const { uid: input } of [top, leaf]) {
      await call(server.request, 'Document.SetLifeCycle', { input, params: { value: 'obsolete' } }).expect(
        200,
      );
    }
    const { body } = await copy(top.uid, { target: to.uid, resetLifeCycle: true }).expect(200);
    expect([body.state, (await read(`${body.path}/${leaf.name}`)).state]).toEqual(['project', 'project']);
  });

  test('omits versions, version numbers and locks', async () => {
    const [to, top] = [await folder(), await folder()];
    const leaf = await createDocument(server, { parent: top.path });
    for (const document of [top, leaf]) {
      const baseVersionId = await createVersion(server, document);
      const numbers = { majorVersion: 2, minorVersion: 1, isCheckedOut: false, baseVersionId };
      await server.database.prisma.document.updateMany({
        where: { id: document.uid },
        data: { ...numbers, lockOwner: 'bob', lockCreated: new Date() },
      });
    }
    const { body } = await copy(top.uid, { target: to.uid }).expect(200);
    const copies = await server.database.prisma.document.findMany({
      where: { OR: [{ id: body.uid }, { ancestorIds: { has: body.uid } }] },
    });
    expect(copies).toHaveLength(2);
    for (const row of copies) {
      expect(row).toMatchObject({
        isVersion: false,
        majorVersion: 0,
        minorVersion: 0,
        isCheckedOut: true,
        baseVersionId: null,
        lockOwner: null,
        lockCreated: null,
      });
    }
  });

  test('copies local ACLs, below the ACLs of the target', async () => {
    const [to, top] = [await folder(), await folder()];
    await setAcl(server, to.path, [grant('bob', 'Read')]);
    await setAcl(server, top.path, [deny('Everyone', 'Everything')]);
    const open = await folder(top.path, 'open');
    await setAcl(server, open.path, [grant('bob', 'Read')]);
    await folder(top.path, 'closed');
    const { body } = await copy(top.uid, { target: to.uid }).expect(200);
    await bob.get(`/api/v1/path${body.path}`).expect(403);
    await bob.get(`/api/v1/path${body.path}/open`).expect(200);
    await bob.get(`/api/v1/path${body.path}/closed`).expect(403);
  });

  test('appends milliseconds to a name that is taken and keeps dc:title', async () => {
    const document = await createDocument(server, { properties: { 'dc:title': 'A' } });
    const { body } = await copy(document.uid, { target: document.parentRef }).expect(200);
    expect(body.name).toMatch(new RegExp(`^${document.name}\\.\\d{13}$`));
    expect(body).toMatchObject({ title: 'A', properties: { 'dc:creator': 'Administrator' } });
  });

  test('keeps the creator and the contributors, and the ACLs of the target apply', async () => {
    const [to, document] = [await folder(), await createDocument(server)];
    await setAcl(server, to.path, [grant('bob', 'ReadWrite')]);
    await setAcl(server, document.path, [grant('bob', 'Read')]);
    const { body } = await copy(document.uid, { target: to.uid }, bob).expect(200);
    expect(body.properties).toMatchObject({
      'dc:creator': 'Administrator',
      'dc:contributors': ['Administrator'],
      'dc:created': document.properties['dc:created'],
    });
    await bob.delete(`/api/v1/id/${body.uid}`).expect(204);
  });

  test('logs an event for the source and the copy, each with the id of the other', async () => {
    const [to, document] = [await folder(), await createDocument(server)];
    const { body } = await copy(document.uid, { target: to.uid }).expect(200);
    const entries = await server.database.prisma.logEntry.findMany({
      where: { eventId: { in: ['documentDuplicated', 'documentCreatedByCopy'] } },
      orderBy: { id: 'desc' },
      take: 2,
    });
    expect(entries.map(({ docUuid, comment }) => [docUuid, comment])).toEqual([
      [body.uid, `default:${document.uid}`],
      [document.uid, `default:${body.uid}`],
    ]);
  });

  test('refuses paths over 8192 bytes and copies nothing', async () => {
    const long = 'x'.repeat(255);
    let deep = await folder(undefined, long);
    for (let depth = 0; depth < 15; depth += 1) deep = await folder(deep.path, long);
    const top = await folder();
    await createTree(server, top, 17, { breadth: 1, name: long });
    const count = await server.database.prisma.document.count();
    const { body } = await copy(top.uid, { target: deep.uid }).expect(400);
    expect(body.message).toBe('The path of a copied document would be longer than 8192 bytes.');
    expect(await server.database.prisma.document.count()).toBe(count);
  });

  test('costs at most ten statements for any tree', async () => {
    const to = await folder();
    await setAcl(server, to.path, [grant('bob', 'Read')]);
    const counts: number[] = [];
    for (const [depth, breadth] of [
      [1, 1],
      [3, 4],
    ] as const) {
      const top = await folder();
      const child = await folder(top.path);
      await setAcl(server, child.path, [grant('bob', 'Write')]);
      await createTree(server, top, depth, { breadth });
      counts.push(statements(await copy(top.uid, { target: to.uid }).expect(200)));
    }
    expect(counts[0]).toBe(counts[1]);
    expect(counts[0]).toBeLessThanOrEqual(10);
  });

  test('trashes a copy in a trashed folder, like a document created there', async () => {
    const [to, top] = [await folder(), await folder()];
    await createTree(server, top, 1, { breadth: 2 });
    await server.database.prisma.document.updateMany({ where: { id: to.uid }, data: { isTrashed: true } });
    expect((await copy(top.uid, { target: to.uid }).expect(200)).body.isTrashed).toBe(true);
    expect(await createDocument(server, { parent: to.path })).toMatchObject({ isTrashed: true });
  });
});
