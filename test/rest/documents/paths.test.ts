import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  atPath,
  createDocument,
  type DocumentEntity,
  documentBody,
  workspaces,
} from '../../support/documents.ts';
import { exception } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';

const server = useServer();
let folder: DocumentEntity;
beforeAll(async () => {
  folder = await createDocument(server, { type: 'Folder', name: 'folder' });
});

const pathAt = async (address: string) =>
  (await server.request.get(`/api/v1${address}`).expect(200)).body.path;

describe('§4.1 the root', () => {
  test.each(['/path', '/path/', '/path//'])('is addressed by %s', async (address) => {
    const { body } = await server.request.get(`/api/v1${address}`).expect(200);
    expect(body).toMatchObject({ path: '/', type: 'Root', parentRef: null, name: '', title: '' });
  });

  test.each(['/path', '/path/'])('accepts new children at %s', async (address) => {
    const { body } = await server.request
      .post(`/api/v1${address}`)
      .send(documentBody({ name: 'top', type: 'Domain' }))
      .expect(201);
    expect(body.path).toMatch(/^\/top[^/]*$/);
    await server.request.get(atPath(body.path)).expect(200);
  });

  test('can be updated', async () => {
    const body = documentBody({ properties: { 'dc:description': 'all there is' } });
    const answer = await server.request.put('/api/v1/path/').send(body).expect(200);
    expect(answer.body).toMatchObject({ path: '/', properties: { 'dc:description': 'all there is' } });
  });

  test.each(['/path', '/path/'])('cannot be deleted at %s', async (address) => {
    const { body } = await server.request.delete(`/api/v1${address}`).expect(403);
    expect(body).toMatchObject(exception(403, expect.stringContaining('root')));
    await server.request.get('/api/v1/path/').expect(200);
  });
});

describe('§4.1 adapters of the root', () => {
  test.each(['/path/', '/path//', '/path///', '/repo/default/path/', '/repo/default/path//'])(
    'are found behind %s',
    async (address) => {
      const { request } = server;
      const children = await request.get(`/api/v1${address}@children`).expect(200);
      expect(children.body.entries.map((entry: DocumentEntity) => entry.path)).toContain('/default-domain');
      const acp = await request.get(`/api/v1${address}@acl`).expect(200);
      expect(acp.body).toMatchObject({ 'entity-type': 'acls' });
      const query = { query: "SELECT * FROM Domain WHERE ecm:path = '/default-domain'" };
      expect((await request.get(`/api/v1${address}@search`).query(query).expect(200)).body.resultsCount).toBe(
        1,
      );
      expect((await request.get(`/api/v1${address}@audit`).expect(200)).body['entity-type']).toBe(
        'logEntries',
      );
      const child = { params: { name: 'default-domain' } };
      const called = await request.post(`/api/v1${address}@op/Document.GetChild`).send(child).expect(200);
      expect(called.body.path).toBe('/default-domain');
      await request.get(`/api/v1${address}@blob/file:content`).expect(404);
      await request.delete(`/api/v1${address}@children`).expect(405);
      const { body } = await request.get(`/api/v1${address}@nosuch`).expect(404);
      expect(body.message).toBe(`There is no resource at /api/v1${address}@nosuch.`);
    },
  );

  test('are not behind an encoded @, which is part of a name', async () => {
    await server.request.get('/api/v1/path//%40children').expect(404);
  });
});

describe('§4 redundant slashes', () => {
  test.each([
    `/path${workspaces}/folder/`,
    `/path/${workspaces}//folder//`,
    `/path//default-domain/workspaces/folder`,
  ])('make no difference in %s', async (address) => {
    expect(await pathAt(address)).toBe(folder.path);
  });

  test('make no difference at the end of an address for POST, PUT and DELETE', async () => {
    const created = await server.request
      .post(`${atPath(folder.path)}/`)
      .send(documentBody({ name: 'a', type: 'File' }))
      .expect(201);
    expect(created.body.path).toBe(`${folder.path}/a`);
    await server.request
      .put(`${atPath(created.body.path)}/`)
      .send(documentBody({}))
      .expect(200);
    await server.request.delete(`${atPath(created.body.path)}/`).expect(204);
  });
});

describe('§4 percent-encoding', () => {
  test('is decoded for any character', async () => {
    expect(await pathAt('/path/default%2Ddomain/%77orkspaces')).toBe(workspaces);
  });

  test('is decoded only once', async () => {
    const { path } = await createDocument(server, { parent: folder.path, name: '%41' });
    expect(await pathAt(`/path${folder.path}/%2541`)).toBe(path);
    await server.request.get(`/api/v1/path${folder.path}/A`).expect(404);
  });

  test('is optional for characters that are allowed in addresses', async () => {
    const { path } = await createDocument(server, { parent: folder.path, name: `a+b!$&'()*,;=:@c~` });
    expect(await pathAt(`/path${folder.path}/a+b!$&'()*,;=:@c~`)).toBe(path);
  });

  test('does not treat a plus as a blank', async () => {
    await createDocument(server, { parent: folder.path, name: 'one two' });
    await server.request.get(`/api/v1/path${folder.path}/one+two`).expect(404);
    expect(await pathAt(`/path${folder.path}/one%20two`)).toBe(`${folder.path}/one two`);
  });

  test.each(['%', '%zz', '%c3', '%ff', '%ed%a0%80'])(
    'is refused when it is malformed: %s',
    async (segment) => {
      const { body } = await server.request.get(`/api/v1/path/${segment}`).expect(400);
      expect(body).toMatchObject(exception(400, expect.stringContaining('percent-encoded')));
    },
  );
});

describe('§4 path segments that begin with @', () => {
  test('address an adapter when unencoded, and an unknown adapter answers 404', async () => {
    const { path } = await createDocument(server, { parent: folder.path, name: '@odd' });
    const { body } = await server.request.get(`/api/v1/path${folder.path}/@odd`).expect(404);
    expect(body).toMatchObject(exception(404, expect.stringContaining('@odd')));
    expect(await pathAt(`/path${folder.path}/%40odd`)).toBe(path);
  });

  test('can be the name of a document when encoded, even that of an adapter', async () => {
    const { path } = await createDocument(server, { parent: folder.path, type: 'Folder', name: '@children' });
    expect(await pathAt(`/path${folder.path}/%40children`)).toBe(path);
    const list = await server.request.get(`/api/v1/path${folder.path}/%40children/@children`).expect(200);
    expect(list.body).toMatchObject({ 'entity-type': 'documents', resultsCount: 0 });
  });

  test('are distinct from segments with an @ inside, which address documents', async () => {
    const { path } = await createDocument(server, { parent: folder.path, name: 'me@home' });
    expect(await pathAt(`/path${folder.path}/me@home`)).toBe(path);
    expect(await pathAt(`/path${folder.path}/me%40home`)).toBe(path);
  });
});

describe('§4.1 paths without a document', () => {
  test.each(['%00', 'a%00b', '%0A', '.hidden', 'x'.repeat(9000), 'DEFAULT-DOMAIN', '%2e%2e%2e', '*', '%25'])(
    'answer 404: %s',
    async (segment) => {
      await server.request.get(`/api/v1/path/${segment}`).expect(404);
      await server.request.put(`/api/v1/path/${segment}`).send(documentBody({})).expect(404);
      await server.request.delete(`/api/v1/path/${segment}`).expect(404);
      await server.request
        .post(`/api/v1/path/${segment}`)
        .send(documentBody({ name: 'a', type: 'File' }))
        .expect(404);
    },
  );

  test('answer 404 below an existing document, too', async () => {
    await server.request.get(atPath(`${folder.path}/nothing`)).expect(404);
    await server.request.get(atPath(`${folder.path.slice(0, -1)}`)).expect(404);
  });
});

describe('§4.1 a path longer than 8 KB', () => {
  test('is refused on creation', async () => {
    let parent = folder.path;
    for (let depth = 0; depth < 31; depth += 1) {
      const body = documentBody({ name: `${depth}`.padEnd(255, '-'), type: 'Folder' });
      parent = (await server.request.post(atPath(parent)).send(body).expect(201)).body.path;
    }
    const room = 8192 - Buffer.byteLength(parent) - 1;
    expect(room).toBeGreaterThan(0);
    const fits = await server.request
      .post(atPath(parent))
      .send(documentBody({ name: 'a'.repeat(room), type: 'File' }))
      .expect(201);
    expect(Buffer.byteLength(fits.body.path)).toBe(8192);
    const { body } = await server.request
      .post(atPath(parent))
      .send(documentBody({ name: 'b'.repeat(room + 1), type: 'File' }))
      .expect(400);
    expect(body).toMatchObject(exception(400, expect.stringContaining('8192 bytes')));
    await server.request.get(atPath(fits.body.path)).expect(200);
  });
});
