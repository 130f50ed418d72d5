import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDocument, type DocumentEntity } from '../../support/factories.ts';
import { start, statements, type TestServer } from '../../support/server.ts';
import { at, atId, entity } from './requests.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.stop());

const file = { 'file:content': { content: 'some text', name: 'text.txt' } };

/** A folder with so many folders in it, each with a file; the folder first. */
async function tree(width: number): Promise<DocumentEntity[]> {
  const top = await createDocument(server, { type: 'Folder' });
  const all = [top];
  for (let index = 0; index < width; index += 1) {
    const folder = await createDocument(server, { parent: top.path, type: 'Folder' });
    all.push(folder, await createDocument(server, { parent: folder.path, properties: file }));
  }
  return all;
}

const rowsOf = (documents: readonly DocumentEntity[]) => {
  const ids = documents.map(({ uid }) => uid);
  return Promise.all([
    server.database.prisma.document.count({ where: { id: { in: ids } } }),
    server.database.prisma.documentBlob.count({ where: { documentId: { in: ids } } }),
  ]);
};

describe('§3 DELETE', () => {
  test('removes all that is below, blobs included', async () => {
    const documents = await tree(2);
    expect(await rowsOf(documents)).toEqual([5, 2]);
    await server.request.delete(at(documents[0]?.path ?? '')).expect(204);
    expect(await rowsOf(documents)).toEqual([0, 0]);
    for (const { path, uid } of documents) {
      await server.request.get(at(path)).expect(404);
      await server.request.get(atId(uid)).expect(404);
    }
  });

  test('leaves alone what is beside and above', async () => {
    const parent = await createDocument(server, { type: 'Folder' });
    const gone = await createDocument(server, { parent: parent.path, type: 'Folder', name: 'a' });
    const beside = await createDocument(server, { parent: parent.path, type: 'Folder', name: 'ab' });
    const below = await createDocument(server, { parent: beside.path, properties: file });
    await server.request.delete(atId(gone.uid)).expect(204);
    for (const { path } of [parent, beside, below]) await server.request.get(at(path)).expect(200);
    const { body } = await server.request.get(`${at(parent.path)}/@children`).expect(200);
    expect(body.entries.map(({ uid }: DocumentEntity) => uid)).toEqual([beside.uid]);
  });

  test('is not a move to the trash', async () => {
    const { path, uid } = await createDocument(server);
    await server.request.delete(at(path)).expect(204);
    expect(await server.database.prisma.document.count({ where: { OR: [{ id: uid }, { path }] } })).toBe(0);
  });

  test('costs the same however much is below', async () => {
    const [few, many] = [await tree(1), await tree(12)];
    const cost = async ([top]: DocumentEntity[]) =>
      statements(await server.request.delete(at(top?.path ?? '')).expect(204));
    const least = await cost(few);
    expect(await cost(many)).toBe(least);
    expect(least).toBeLessThanOrEqual(3);
  });

  test('goes as deep as documents go', async () => {
    const top = await createDocument(server, { type: 'Folder' });
    let deepest = top;
    for (let depth = 0; depth < 40; depth += 1) {
      deepest = await createDocument(server, { parent: deepest.path, type: 'Folder', name: 'x' });
    }
    await server.request.delete(at(top.path)).expect(204);
    await server.request.get(atId(deepest.uid)).expect(404);
  });

  test('of a deleted document, and of what was below it, is 404', async () => {
    const documents = await tree(1);
    await server.request.delete(at(documents[0]?.path ?? '')).expect(204);
    for (const { path, uid } of documents) {
      await server.request.delete(at(path)).expect(404);
      await server.request.delete(atId(uid)).expect(404);
    }
  });

  test('takes no notice of a body', async () => {
    const { path } = await createDocument(server);
    await server.request.delete(at(path)).type('application/json').send('{').expect(204);
  });

  test('at once by several succeeds once', async () => {
    const { path } = await createDocument(server, { type: 'Folder' });
    const answers = await Promise.all(Array.from({ length: 5 }, () => server.request.delete(at(path))));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404]);
  });

  test('while others create below leaves nothing behind', async () => {
    const top = await createDocument(server, { type: 'Folder' });
    const middle = await createDocument(server, { parent: top.path, type: 'Folder' });
    const create = (name: number) =>
      server.request.post(at(middle.path)).send(entity({ name: `n${name}`, type: 'File', properties: file }));
    const [deleted, ...created] = await Promise.all([
      server.request.delete(at(top.path)),
      ...Array.from({ length: 8 }, (_, index) => create(index)),
    ]);
    expect(deleted.status).toBe(204);
    for (const { status } of created) expect([201, 404]).toContain(status);
    const left = { OR: [{ path: { startsWith: `${top.path}/` } }, { ancestorIds: { has: top.uid } }] };
    expect(await server.database.prisma.document.count({ where: left })).toBe(0);
  });
});
