import { describe, expect, test } from '@jest/globals';
import { grant, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity, readDocument } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { as, createUser } from '../../support/users.ts';

const server = useServer();

const order = (document: DocumentEntity | undefined, before?: DocumentEntity) =>
  call(server.request, 'Document.Order', {
    input: document?.uid,
    params: before ? { before: before.path } : {},
  });

/** An ordered folder with documents whose names are not in the order of creation. */
async function ordered(count: number): Promise<{ folder: DocumentEntity; documents: DocumentEntity[] }> {
  const folder = await createDocument(server, { type: 'OrderedFolder' });
  const documents: DocumentEntity[] = [];
  for (let index = 0; index < count; index += 1) {
    documents.push(await createDocument(server, { parent: folder.path, name: `${(7 * index) % count}` }));
  }
  return { folder, documents };
}

const names = async ({ uid }: DocumentEntity, query = {}): Promise<string[]> => {
  const { body } = await server.request.get(`/api/v1/id/${uid}/@children`).query(query).expect(200);
  return body.entries.map(({ name }: DocumentEntity) => name);
};

describe('Document.Order', () => {
  test('sets the order of lists of an orderable folder; new documents are last', async () => {
    const { folder, documents } = await ordered(5);
    const [a, b, c, d, e] = documents;
    const wanted = (...all: Array<DocumentEntity | undefined>) => all.map((document) => document?.name);
    expect(await names(folder)).toEqual(wanted(a, b, c, d, e));
    await order(e, b).expect(200);
    expect(await names(folder)).toEqual(wanted(a, e, b, c, d));
    await order(a).expect(200);
    expect(await names(folder)).toEqual(wanted(e, b, c, d, a));
    const f = await createDocument(server, { parent: folder.path, name: '!' });
    expect(await names(folder)).toEqual(wanted(e, b, c, d, a, f));
    await order(f, e).expect(200);
    expect(await names(folder)).toEqual(wanted(f, e, b, c, d, a));
    expect(await names(folder, { pageSize: 2, offset: 3 })).toEqual(wanted(c, d));
    expect(await names(folder, { sortBy: 'ecm:name', sortOrder: 'asc' })).toEqual([
      '!',
      '0',
      '1',
      '2',
      '3',
      '4',
    ]);
    const { body } = await call(server.request, 'Document.GetChildren', { input: folder.uid }).expect(200);
    expect(body.entries.map(({ name }: DocumentEntity) => name)).toEqual(wanted(f, e, b, c, d, a));
  });

  test('changes and logs nothing when the document is in its position already', async () => {
    const { folder, documents } = await ordered(3);
    await order(documents[2]).expect(200); // all have positions now
    const where = { docUuid: folder.uid };
    const before = await server.database.prisma.logEntry.count({ where });
    await order(documents[1], documents[1]).expect(200);
    await order(documents[1], documents[2]).expect(200);
    expect(await server.database.prisma.logEntry.count({ where })).toBe(before);
    expect(await names(folder)).toEqual(documents.map(({ name }) => name));
  });

  test('costs the same number of statements for any number of siblings', async () => {
    const counts: number[] = [];
    for (const count of [2, 9]) {
      const { documents } = await ordered(count);
      counts.push(statements(await order(documents[count - 1], documents[0]).expect(200)));
    }
    expect(counts[0]).toBe(counts[1]);
  });

  test('a document moved into an ordered folder is last', async () => {
    const [one, two] = [await ordered(2), await ordered(2)];
    await order(one.documents[1], one.documents[0]).expect(200);
    await order(two.documents[1], two.documents[0]).expect(200);
    const params = { target: two.folder.path, name: 'moved' };
    await call(server.request, 'Document.Move', { input: one.documents[1]?.uid, params }).expect(200);
    expect((await names(two.folder)).at(-1)).toBe('moved');
  });

  test('a copy keeps the order, and stands where a new document would', async () => {
    const { folder, documents } = await ordered(12);
    const inner = await createDocument(server, { type: 'OrderedFolder', parent: folder.path, name: 'inner' });
    for (const name of ['z', 'y', 'x', 'w', 'v', 'u'])
      await createDocument(server, { parent: inner.path, name });
    const copy = async (input: string, target: string, name: string): Promise<DocumentEntity> =>
      (await call(server.request, 'Document.Copy', { input, params: { target, name } }).expect(200)).body;
    const before = await copy(folder.uid, '/default-domain/workspaces', 'unplaced');
    expect(await names(before)).toEqual(await names(folder));
    await order(documents[9], documents[2]).expect(200);
    await createDocument(server, { parent: folder.path, name: 'last' });
    const after = await copy(folder.uid, '/default-domain/workspaces', 'placed');
    const wanted = await names(folder);
    expect(await names(after)).toEqual(wanted);
    const child = await readDocument(server.request, `${after.path}/inner`);
    expect(await names(child)).toEqual(['z', 'y', 'x', 'w', 'v', 'u']);

    for (let at = 0; at < 6; at += 1) {
      await copy(String(documents[0]?.uid), after.uid, `copy ${at}`);
      await createDocument(server, { parent: after.path, name: `new ${at}` });
    }
    const mixed = Array.from({ length: 6 }, (_, at) => [`copy ${at}`, `new ${at}`]);
    expect(await names(after)).toEqual([...wanted, ...mixed.flat()]);
  });

  test('does not reveal the folder of a document that the caller cannot read', async () => {
    const { folder, documents } = await ordered(1);
    const hidden = await createDocument(server, { name: 'hidden' });
    await createUser(server, 'bob');
    await setAcl(server, folder.path, [grant('bob', 'ReadWrite')]);
    const params = { before: hidden.uid };
    const { body } = await call(as(server, 'bob'), 'Document.Order', { input: documents[0]?.uid, params });
    expect(body).toMatchObject({ status: 400, message: `before: ${hidden.uid} is not in ${folder.path}` });
  });

  test('gives each document its own position after twenty concurrent calls', async () => {
    const { folder, documents } = await ordered(5);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => order(documents[index % 5], documents[(index * 3 + 1) % 5])),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    const rows = await server.database.prisma.document.findMany({ where: { parentId: folder.uid } });
    expect(rows.map(({ position }) => position).sort()).toEqual([1, 2, 3, 4, 5]);
  });
});
