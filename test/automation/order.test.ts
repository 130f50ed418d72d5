import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { grant, setAcl } from '../support/acls.ts';
import { createDocument, type DocumentEntity } from '../support/factories.ts';
import { start, statements, type TestServer } from '../support/server.ts';
import { as, createUser } from '../support/users.ts';
import { call } from './calls.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.stop());

const order = (document: DocumentEntity | undefined, before?: DocumentEntity) =>
  call(server.request, 'Document.Order', {
    input: document?.uid,
    params: before ? { before: before.path } : {},
  });

/** A folder with documents, whose titles say nothing about when they were created. */
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
  test('lists of an orderable folder come in its order; new documents last', async () => {
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

  test('before itself, or where it is already, changes nothing and leaves no trace', async () => {
    const { folder, documents } = await ordered(3);
    await order(documents[2]).expect(200); // all are numbered now
    const where = { docUuid: folder.uid };
    const before = await server.database.prisma.logEntry.count({ where });
    await order(documents[1], documents[1]).expect(200);
    await order(documents[1], documents[2]).expect(200);
    expect(await server.database.prisma.logEntry.count({ where })).toBe(before);
    expect(await names(folder)).toEqual(documents.map(({ name }) => name));
  });

  test('costs as many statements among many as among few', async () => {
    const counts: number[] = [];
    for (const count of [2, 9]) {
      const { documents } = await ordered(count);
      counts.push(statements(await order(documents[count - 1], documents[0]).expect(200)));
    }
    expect(counts[0]).toBe(counts[1]);
  });

  test('a document that leaves the folder leaves its place; one that comes comes last', async () => {
    const [one, two] = [await ordered(2), await ordered(2)];
    await order(one.documents[1], one.documents[0]).expect(200);
    await order(two.documents[1], two.documents[0]).expect(200);
    const params = { target: two.folder.path, name: 'moved' };
    await call(server.request, 'Document.Move', { input: one.documents[1]?.uid, params }).expect(200);
    expect((await names(two.folder)).at(-1)).toBe('moved');
  });

  test('where another document is, is not told to whoever may not read it', async () => {
    const { folder, documents } = await ordered(1);
    const hidden = await createDocument(server, { name: 'hidden' });
    await createUser(server, 'bob');
    await setAcl(server, folder.path, [grant('bob', 'ReadWrite')]);
    const params = { before: hidden.uid };
    const { body } = await call(as(server, 'bob'), 'Document.Order', { input: documents[0]?.uid, params });
    expect(body).toMatchObject({ status: 400, message: `before: ${hidden.uid} is not in ${folder.path}` });
  });

  test('twenty at once leave every document one place of its own', async () => {
    const { folder, documents } = await ordered(5);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => order(documents[index % 5], documents[(index * 3 + 1) % 5])),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    const rows = await server.database.prisma.document.findMany({ where: { parentId: folder.uid } });
    expect(rows.map(({ position }) => position).sort()).toEqual([1, 2, 3, 4, 5]);
  });
});
