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

const move = (input: string, params: Record<string, unknown>, who = server.request) =>
  call(who, 'Document.Move', { input, params });

const folder = (parent?: string, name?: string) => createDocument(server, { type: 'Folder', parent, name });

const read = ({ uid }: Pick<DocumentEntity, 'uid'>) => readDocument(server.request, uid);

describe('Document.Move', () => {
  test('moves the whole tree with its versions and changes nothing else', async () => {
    const [from, to] = [await folder(), await folder()];
    const top = await folder(from.path, 'top');
    const inner = await folder(top.path, 'inner');
    const leaf = await createDocument(server, { parent: inner.path, name: 'leaf' });
    const [ofTop, ofLeaf] = [await createVersion(server, top), await createVersion(server, leaf)];
    const before = await read(leaf);
    const { body } = await move(top.uid, { target: to.path, name: 'new' }).expect(200);
    expect(body).toMatchObject({ uid: top.uid, name: 'new', path: `${to.path}/new`, parentRef: to.uid });
    const path = `${to.path}/new/inner/leaf`;
    expect(await read(leaf)).toEqual({ ...before, path, changeToken: '1-0' });
    const versions = await server.database.prisma.document.findMany({ where: { isVersion: true } });
    expect(versions.map(({ id, path: at, name }) => [id, at, name]).sort()).toEqual(
      [
        [ofTop, `${to.path}/new`, 'new'],
        [ofLeaf, path, 'leaf'],
      ].sort(),
    );
    await server.request.get(`/api/v1/path${top.path}`).expect(404);
    await server.request.get(`/api/v1/path${path}`).expect(200);
  });

  test('leaves siblings whose names begin with the moved name', async () => {
    const [from, to] = [await folder(), await folder()];
    const top = await folder(from.path, 'a');
    const other = await folder(from.path, 'ab');
    await createDocument(server, { parent: other.path });
    await move(top.uid, { target: to.uid }).expect(200);
    expect((await read(other)).path).toBe(`${from.path}/ab`);
  });

  test('moves trees whose names contain characters of patterns and escapes', async () => {
    const [from, to] = [await folder(), await folder()];
    const top = await folder(from.path, "100%_$1\\'ü");
    const leaf = await createDocument(server, { parent: top.path, name: '%' });
    const { body } = await move(top.uid, { target: to.uid }).expect(200);
    expect((await read(leaf)).path).toBe(`${body.path}/%`);
  });

  test('appends milliseconds to a name that is taken', async () => {
    const [from, to] = [await folder(), await folder()];
    await createDocument(server, { parent: to.path, name: 'same' });
    const { uid } = await createDocument(server, { parent: from.path, name: 'same' });
    const { body } = await move(uid, { target: to.uid }).expect(200);
    expect(body.path).toMatch(/\/same\.\d{13}$/);
  });

  test('changes nothing when the target or the name is the current one', async () => {
    const document = await createDocument(server);
    const before = await read(document);
    const target = String(document.parentRef);
    expect((await move(document.uid, { target }).expect(200)).body).toEqual(before);
    expect((await move(document.uid, { name: document.name }).expect(200)).body).toEqual(before);
  });

  test('renames without a target; a title that equals the name changes too', async () => {
    const parent = await folder();
    const document = await createDocument(server, { type: 'Folder', parent: parent.path, name: 'b' });
    await createDocument(server, { type: 'Folder', parent: parent.path, name: 'a' });
    const { body } = await move(document.uid, { name: ' 0/1 ' }).expect(200);
    expect(body).toMatchObject({ name: '0-1', path: `${parent.path}/0-1`, title: '0-1' });
    const children = await server.request.get(`/api/v1/id/${parent.uid}/@children`).expect(200);
    expect(children.body.entries.map(({ name }: DocumentEntity) => name)).toEqual(['0-1', 'a']);
  });

  test('needs WriteProperties on the folder and on the document for renaming', async () => {
    const parent = await folder();
    const document = await createDocument(server, { parent: parent.path });
    const allow = async (onParent: string, onDocument: string) => {
      await setAcl(server, parent.path, [grant('bob', onParent), deny('Everyone', 'Everything')]);
      await setAcl(server, document.path, [grant('bob', onDocument), deny('Everyone', 'Everything')]);
    };
    await allow('WriteProperties', 'Remove');
    await move(document.uid, { name: 'x' }, bob).expect(403);
    await allow('Remove', 'WriteProperties');
    await move(document.uid, { name: 'x' }, bob).expect(403);
    await allow('WriteProperties', 'WriteProperties');
    await move(document.uid, { name: 'x' }, bob).expect(200);
  });

  test('applies the ACLs of the new parent and keeps local ACLs', async () => {
    const [from, to] = [await folder(), await folder()];
    await setAcl(server, from.path, [deny('Everyone', 'Everything')]);
    await setAcl(server, to.path, [grant('bob', 'Read')]);
    const top = await folder(from.path);
    const [open, closed] = [await folder(top.path), await folder(top.path)];
    await setAcl(server, closed.path, [deny('bob', 'Read')]);
    await bob.get(`/api/v1/id/${open.uid}`).expect(403);
    await move(top.uid, { target: to.uid }).expect(200);
    await bob.get(`/api/v1/id/${open.uid}`).expect(200);
    await bob.get(`/api/v1/id/${closed.uid}`).expect(403);
  });

  test('is refused when another user has locked the document or the target', async () => {
    const [from, to] = [await folder(), await folder()];
    for (const { path } of [from, to]) await setAcl(server, path, [grant('bob', 'ReadWrite')]);
    const document = await createDocument(server, { parent: from.path });
    await call(server.request, 'Document.Lock', { input: document.uid }).expect(200);
    await move(document.uid, { target: to.uid }, bob).expect(403);
    await move(document.uid, { target: to.uid }).expect(200);
    await call(server.request, 'Document.Lock', { input: to.uid }).expect(200);
    await move(document.uid, { target: from.uid }).expect(200);
    await call(server.request, 'Document.Unlock', { input: document.uid }).expect(200);
    await move(document.uid, { target: to.uid }, bob).expect(403);
  });

  test('refuses paths over 8192 bytes and moves nothing', async () => {
    const long = 'x'.repeat(255);
    let deep = await folder(undefined, long);
    for (let depth = 0; depth < 15; depth += 1) deep = await folder(deep.path, long);
    const top = await folder(undefined, long);
    const inner = await createTree(server, top, 15, { breadth: 1, name: long });
    const { body } = await move(top.uid, { target: deep.uid }).expect(400);
    expect(body.message).toBe('The path of a moved document would be longer than 8192 bytes.');
    expect((await read(top)).path).toBe(top.path);
    expect(await server.database.prisma.document.count({ where: { ancestorIds: { has: top.uid } } })).toBe(
      inner,
    );
  });

  test('costs at most ten statements for any tree', async () => {
    const [from, to] = [await folder(), await folder()];
    await setAcl(server, to.path, [grant('bob', 'Read')]);
    const counts: number[] = [];
    for (const [depth, breadth] of [
      [0, 0],
      [3, 4],
    ] as const) {
      const top = await folder(from.path);
      await createTree(server, top, depth, { breadth });
      counts.push(statements(await move(top.uid, { target: to.uid }).expect(200)));
    }
    expect(counts[0]).toBe(counts[1]);
    expect(counts[0]).toBeLessThanOrEqual(10);
  });

  test('trashes a document that is moved into a trashed folder', async () => {
    const [from, to] = [await folder(), await folder()];
    await server.database.prisma.document.updateMany({ where: { id: to.uid }, data: { isTrashed: true } });
    const top = await folder(from.path);
    await createTree(server, top, 1, { breadth: 2 });
    expect((await move(top.uid, { target: to.uid }).expect(200)).body.isTrashed).toBe(true);
  });
});
