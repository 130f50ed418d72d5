import { describe, expect, test } from '@jest/globals';
import { atId, atPath, createDocument, type DocumentEntity, documentBody } from '../../support/documents.ts';
import { statements, useServer } from '../../support/server.ts';

const server = useServer();

const file = { 'file:content': { content: 'some text', name: 'text.txt' } };

/** Creates a folder with `width` subfolders, each with a file; returns all documents, that folder first. */
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
  test('removes all descendants and their blobs', async () => {
    const documents = await tree(2);
    expect(await rowsOf(documents)).toEqual([5, 2]);
    await server.request.delete(atPath(documents[0]?.path ?? '')).expect(204);
    expect(await rowsOf(documents)).toEqual([0, 0]);
    for (const { path, uid } of documents) {
      await server.request.get(atPath(path)).expect(404);
      await server.request.get(atId(uid)).expect(404);
    }
  });

  test('keeps siblings and ancestors', async () => {
    const parent = await createDocument(server, { type: 'Folder' });
    const gone = await createDocument(server, { parent: parent.path, type: 'Folder', name: 'a' });
    const beside = await createDocument(server, { parent: parent.path, type: 'Folder', name: 'ab' });
    const below = await createDocument(server, { parent: beside.path, properties: file });
    await server.request.delete(atId(gone.uid)).expect(204);
    for (const { path } of [parent, beside, below]) await server.request.get(atPath(path)).expect(200);
    const { body } = await server.request.get(`${atPath(parent.path)}/@children`).expect(200);
    expect(body.entries.map(({ uid }: DocumentEntity) => uid)).toEqual([beside.uid]);
  });

  test('removes the row of the document instead of trashing it', async () => {
    const { path, uid } = await createDocument(server);
    await server.request.delete(atPath(path)).expect(204);
    expect(await server.database.prisma.document.count({ where: { OR: [{ id: uid }, { path }] } })).toBe(0);
  });

  test('costs the same number of statements for any number of descendants', async () => {
    const [few, many] = [await tree(1), await tree(12)];
    const cost = async ([top]: DocumentEntity[]) =>
      statements(await server.request.delete(atPath(top?.path ?? '')).expect(204));
    const least = await cost(few);
    expect(await cost(many)).toBe(least);
    expect(least).toBeLessThanOrEqual(3);
  });

  test('removes descendants at a depth of 40', async () => {
    const top = await createDocument(server, { type: 'Folder' });
    let deepest = top;
    for (let depth = 0; depth < 40; depth += 1) {
      deepest = await createDocument(server, { parent: deepest.path, type: 'Folder', name: 'x' });
    }
    await server.request.delete(atPath(top.path)).expect(204);
    await server.request.get(atId(deepest.uid)).expect(404);
  });

  test('answers 404 for a deleted document and for its former descendants', async () => {
    const documents = await tree(1);
    await server.request.delete(atPath(documents[0]?.path ?? '')).expect(204);
    for (const { path, uid } of documents) {
      await server.request.delete(atPath(path)).expect(404);
      await server.request.delete(atId(uid)).expect(404);
    }
  });

  test('ignores a body', async () => {
    const { path } = await createDocument(server);
    await server.request.delete(atPath(path)).type('application/json').send('{').expect(204);
  });

  test('succeeds once for five concurrent requests', async () => {
    const { path } = await createDocument(server, { type: 'Folder' });
    const answers = await Promise.all(Array.from({ length: 5 }, () => server.request.delete(atPath(path))));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404]);
  });

  test('leaves no descendants while other requests create some', async () => {
    const top = await createDocument(server, { type: 'Folder' });
    const middle = await createDocument(server, { parent: top.path, type: 'Folder' });
    const create = (name: number) =>
      server.request
        .post(atPath(middle.path))
        .send(documentBody({ name: `n${name}`, type: 'File', properties: file }));
    const [deleted, ...created] = await Promise.all([
      server.request.delete(atPath(top.path)),
      ...Array.from({ length: 8 }, (_, index) => create(index)),
    ]);
    expect(deleted.status).toBe(204);
    for (const { status } of created) expect([201, 404]).toContain(status);
    const left = { OR: [{ path: { startsWith: `${top.path}/` } }, { ancestorIds: { has: top.uid } }] };
    expect(await server.database.prisma.document.count({ where: left })).toBe(0);
  });
});
