import { describe, expect, test } from '@jest/globals';
import { createDocument, namesIn } from '../../../support/documents.ts';
import { useServer } from '../../../support/server.ts';
import { children, createFolder } from './children-requests.ts';

const server = useServer();

describe('@children', () => {
  test('lists the children by path and by id, with and without a trailing slash', async () => {
    const folder = await createFolder(server, ['a', 'b']);
    const addresses = [`/api/v1/path${folder.path}`, `/api/v1/id/${folder.uid}`].flatMap((address) => [
      `${address}/@children`,
      `${address}/@children/`,
    ]);
    for (const address of addresses) {
      expect(namesIn(await server.request.get(address).expect(200))).toEqual(['a', 'b']);
    }
  });

  test.each(['/api/v1/path/@children', '/api/v1/path/@children/', '/api/v1/repo/default/path/@children'])(
    'lists the children of the root at %s',
    async (address) => {
      const names = namesIn(await server.request.get(address).expect(200));
      expect(names).toContain('default-domain');
      expect(names).not.toContain('workspaces');
    },
  );

  test('lists each child as the same entity that GET /id answers', async () => {
    const folder = await createFolder(server, ['a']);
    const { body } = await children(server, folder).set('Host', 'h:1').expect(200);
    const [entry] = body.entries;
    const single = await server.request.get(`/api/v1/id/${entry.uid}`).set('Host', 'h:1').expect(200);
    expect(entry).toEqual(single.body);
  });

  test('does not list grandchildren', async () => {
    const folder = await createFolder(server);
    const inner = await createDocument(server, { parent: folder.path, type: 'Folder', name: 'inner' });
    await createDocument(server, { parent: inner.path, name: 'further' });
    expect(namesIn(await children(server, folder).expect(200))).toEqual(['inner']);
  });

  test('is empty for a document without children', async () => {
    const file = await createDocument(server);
    expect((await children(server, file).expect(200)).body.entries).toEqual([]);
  });

  test('answers HEAD without a body', async () => {
    const folder = await createFolder(server, ['a']);
    const { text } = await server.request.head(`/api/v1/id/${folder.uid}/@children`).expect(200);
    expect(text).toBeUndefined();
  });

  test('answers 404 when the document does not exist', async () => {
    await server.request.get('/api/v1/path/nowhere/@children').expect(404);
    await server.request.get('/api/v1/id/00000000-0000-4000-8000-000000000000/@children').expect(404);
    const { body } = await server.request.get('/api/v1/id/no-uuid/@children').expect(404);
    expect(body).toMatchObject({
      'entity-type': 'exception',
      status: 404,
      message: 'There is no document with the id no-uuid.',
    });
  });

  test.each(['post', 'put', 'delete', 'patch'] as const)('answers 405 to %s', async (verb) => {
    const { headers } = await server.request[verb]('/api/v1/path/@children').send({}).expect(405);
    expect(headers.allow).toContain('GET');
  });

  test('answers 401 without credentials', async () => {
    await server.anonymous.get('/api/v1/path/@children').expect(401);
  });

  test('is not an adapter when its @ is percent-encoded', async () => {
    await server.request.get('/api/v1/path/%40children').expect(404);
  });
});

describe('children that @children leaves out', () => {
  test.each(['HiddenFolder', 'TaskRoot', 'Tag'])(
    'a document of type %s, which is hidden in navigation, is left out',
    async (type) => {
      const folder = await createFolder(server, ['shown']);
      const hidden = await createDocument(server, { parent: folder.path, type, name: 'hidden' });
      const response = await children(server, folder).expect(200);
      expect(namesIn(response)).toEqual(['shown']);
      expect(response.body.resultsCount).toBe(1);
      await server.request.get(`/api/v1/id/${hidden.uid}`).expect(200);
    },
  );

  test.each([
    ['hidden by a facet of its own', { facets: ['HiddenInNavigation'] }],
    ['trashed', { isTrashed: true }],
    ['a version', { isVersion: true }],
  ])('a document that is %s is left out', async (_, data) => {
    const folder = await createFolder(server, ['shown', 'hidden']);
    const { prisma } = server.database;
    await prisma.document.updateMany({ where: { parentId: folder.uid, name: 'hidden' }, data });
    const response = await children(server, folder).expect(200);
    expect(namesIn(response)).toEqual(['shown']);
    expect(response.body).toMatchObject({ resultsCount: 1, totalSize: 1 });
  });
});

describe('§9 headers of @children', () => {
  test('the properties header selects the schemas of the entries', async () => {
    const folder = await createFolder(server, ['a', 'b']);
    const { body } = await children(server, folder).set('properties', 'common').expect(200);
    expect(body.entries).toHaveLength(2);
    for (const { properties } of body.entries) {
      expect(Object.keys(properties).sort()).toEqual(['common:icon', 'common:icon-expanded']);
    }
  });

  test('the entries have the properties of all schemas without the properties header', async () => {
    const folder = await createFolder(server, ['a']);
    const { body } = await children(server, folder).expect(200);
    expect(body.entries[0].properties).toMatchObject({ 'dc:title': 'a', 'file:content': null });
  });

  test('the properties parameter selects the schemas as the header does', async () => {
    const folder = await createFolder(server, ['a']);
    const { body } = await children(server, folder, '?properties=file').expect(200);
    expect(body.entries[0].properties).toEqual({ 'file:content': null });
  });

  test('a Repository header with an unknown name answers 404', async () => {
    await server.request.get('/api/v1/path/@children').set('Repository', 'nowhere').expect(404);
  });
});
