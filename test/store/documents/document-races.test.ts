/** @group slow */

import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import type supertest from 'supertest';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { checkConsistency } from '../consistency.ts';
import { times } from '../times.ts';

const server = useServer();
checkConsistency(server);

/** The number of responses by status. */
function statuses(responses: readonly supertest.Response[]): Record<string, number> {
  const counted: Record<string, number> = {};
  for (const { status } of responses) counted[status] = (counted[status] ?? 0) + 1;
  return counted;
}

const create = (
  at: string,
  {
    name = 'new',
    type = 'Folder',
    properties = {},
  }: { name?: string; type?: string; properties?: object } = {},
) => server.request.post(`/api/v1${at}`).send({ 'entity-type': 'document', type, name, properties });

const put = ({ uid }: DocumentEntity, body: object) =>
  server.request.put(`/api/v1/id/${uid}`).send({ 'entity-type': 'document', ...body });

describe('Fifty concurrent requests', () => {
  test('that create one name make fifty documents at fifty paths', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const responses = await times(50, () => create(`/id/${folder.uid}`, { name: 'same' }));
    expect(statuses(responses)).toEqual({ 201: 50 });
    const paths = new Set(responses.map(({ body }) => body.path));
    expect(paths.size).toBe(50);
    expect(paths).toContain(`${folder.path}/same`);
    for (const path of paths) expect(path).toMatch(/\/same(\.\d{13})?$/);
  });

  test('that create one name with a blob each keep the bytes of each', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const responses = await times(50, (index) =>
      create(`/id/${folder.uid}`, {
        name: 'same',
        type: 'File',
        properties: { 'dc:title': String(index), 'file:content': { content: `bytes ${index % 5}` } },
      }),
    );
    expect(statuses(responses)).toEqual({ 201: 50 });
    for (const { body } of responses.slice(0, 10)) {
      const { text } = await server.request.get(`/api/v1/id/${body.uid}/@blob`).expect(200);
      expect(text).toBe(`bytes ${Number(body.title) % 5}`);
    }
  });

  test('with one change token: one succeeds, and the others get 409', async () => {
    const document = await createDocument(server);
    const { changeToken } = document;
    const responses = await times(50, (index) =>
      put(document, { changeToken, properties: { 'dc:title': `writer ${index}` } }),
    );
    expect(statuses(responses)).toEqual({ 200: 1, 409: 49 });
    const winner = responses.find(({ status }) => status === 200);
    const { body } = await server.request.get(`/api/v1/id/${document.uid}`).expect(200);
    expect(body.title).toBe(winner?.body.title);
    expect(body.changeToken).toBe('0-1');
  });

  test('with one If-Match: one succeeds, and the others get 412', async () => {
    const document = await createDocument(server);
    const tag = `"${document.changeToken}"`;
    const responses = await times(50, (index) =>
      put(document, { properties: { 'dc:title': `writer ${index}` } }).set('If-Match', tag),
    );
    expect(statuses(responses)).toEqual({ 200: 1, 412: 49 });
  });

  test('that change different properties without a token lose no change', async () => {
    const document = await createDocument(server);
    const xpaths = ['dc:title', 'dc:source', 'dc:rights', 'dc:format', 'dc:language', 'dc:publisher'];
    const responses = await times(48, (index) =>
      put(document, { properties: { [xpaths[index % 6] ?? '']: `value ${index % 6}` } }),
    );
    expect(statuses(responses)).toEqual({ 200: 48 });
    const { body } = await server.request.get(`/api/v1/id/${document.uid}`).expect(200);
    for (const [index, xpath] of xpaths.entries()) expect(body.properties[xpath]).toBe(`value ${index}`);
    expect(body.changeToken).toBe('0-6'); // a change without effect leaves the token as it is
  });

  test('that replace the blob of a document leave one row and one of the blobs', async () => {
    const document = await createDocument(server, { properties: { 'file:content': { content: 'first' } } });
    const responses = await times(50, (index) =>
      put(document, { properties: { 'file:content': { content: `content ${index}` } } }),
    );
    expect(statuses(responses)).toEqual({ 200: 50 });
    const rows = await server.database.prisma.documentBlob.findMany({ where: { documentId: document.uid } });
    const { body } = await server.request.get(`/api/v1/id/${document.uid}`).expect(200);
    expect(rows.map(({ digest }) => digest)).toEqual([body.properties['file:content'].digest]);
  });

  test('that delete one document: one succeeds, and the others get 404', async () => {
    const { uid } = await createDocument(server);
    const responses = await times(50, () => server.request.delete(`/api/v1/id/${uid}`));
    expect(statuses(responses)).toEqual({ 204: 1, 404: 49 });
  });
});

describe('Creating a document while an ancestor is deleted', () => {
  test('is 201 and deleted with the parent, or 404', async () => {
    for (let round = 0; round < 8; round += 1) {
      const folder = await createDocument(server, { type: 'Folder' });
      const creating = times(12, async (index) => {
        await setTimeout(index % 4);
        return create(`/id/${folder.uid}`, { properties: { 'dc:title': 'x' } });
      });
      await setTimeout(round);
      const deleted = await server.request.delete(`/api/v1/id/${folder.uid}`);
      expect(deleted.status).toBe(204);
      const responses = await creating;
      for (const { status, body } of responses) {
        expect([201, 404]).toContain(status);
        if (status === 201) await server.request.get(`/api/v1/id/${body.uid}`).expect(404);
      }
      const left = await server.database.prisma.document.count({
        where: { ancestorIds: { has: folder.uid } },
      });
      expect(left).toBe(0);
    }
  });

  test('is 201 and deleted with the tree, or 404', async () => {
    for (let round = 0; round < 8; round += 1) {
      const top = await createDocument(server, { type: 'Folder' });
      const inner = await createDocument(server, { type: 'Folder', parent: top.path });
      const creating = times(12, async (index) => {
        await setTimeout(index % 4);
        return create(`/path${inner.path}`, {
          type: 'File',
          properties: { 'file:content': { content: `round ${round}` } },
        });
      });
      await setTimeout(round);
      await server.request.delete(`/api/v1/id/${top.uid}`).expect(204);
      for (const { status } of await creating) expect([201, 404]).toContain(status);
      const left = await server.database.prisma.document.count({ where: { ancestorIds: { has: top.uid } } });
      expect(left).toBe(0);
    }
  });
});

describe('Concurrent deletions of a tree, its root and its folders', () => {
  test('leave no document, and answer 204 or 404', async () => {
    for (let round = 0; round < 5; round += 1) {
      const top = await createDocument(server, { type: 'Folder' });
      const middle = await createDocument(server, { type: 'Folder', parent: top.path });
      const low = await createDocument(server, { type: 'Folder', parent: middle.path });
      await times(5, () => create(`/id/${low.uid}`));
      const responses = await times(6, (index) =>
        server.request.delete(`/api/v1/id/${[low, middle, top][(index + round) % 3]?.uid}`),
      );
      for (const { status } of responses) expect([204, 404]).toContain(status);
      await server.request.get(`/api/v1/id/${top.uid}`).expect(404);
    }
  });
});

describe('Changing a document while it is deleted', () => {
  test('is 200 or 404', async () => {
    const document = await createDocument(server);
    const changing = times(20, (index) => put(document, { properties: { 'dc:title': `title ${index}` } }));
    await server.request.delete(`/api/v1/id/${document.uid}`).expect(204);
    for (const { status } of await changing) expect([200, 404]).toContain(status);
    await server.request.get(`/api/v1/id/${document.uid}`).expect(404);
  });
});
