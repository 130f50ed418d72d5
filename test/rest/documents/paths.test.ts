import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDocument, type DocumentEntity } from '../../support/factories.ts';
import { start, type TestServer } from '../../support/server.ts';
import { at, entity, exception, workspaces } from './requests.ts';

let server: TestServer;
let folder: DocumentEntity;
beforeAll(async () => {
  server = await start();
  folder = await createDocument(server, { type: 'Folder', name: 'folder' });
});
afterAll(() => server.stop());

const pathAt = async (address: string) =>
  (await server.request.get(`/api/v1${address}`).expect(200)).body.path;

describe('§4.1 the root', () => {
  test.each(['/path', '/path/', '/path//'])('is at %s', async (address) => {
    const { body } = await server.request.get(`/api/v1${address}`).expect(200);
    expect(body).toMatchObject({ path: '/', type: 'Root', parentRef: null, name: '', title: '' });
  });

  test.each(['/path', '/path/'])('takes children at %s', async (address) => {
    const { body } = await server.request
      .post(`/api/v1${address}`)
      .send(entity({ name: 'top', type: 'Domain' }))
      .expect(201);
    expect(body.path).toMatch(/^\/top[^/]*$/);
    await server.request.get(at(body.path)).expect(200);
  });

  test('may be changed', async () => {
    const body = entity({ properties: { 'dc:description': 'all there is' } });
    const answer = await server.request.put('/api/v1/path/').send(body).expect(200);
    expect(answer.body).toMatchObject({ path: '/', properties: { 'dc:description': 'all there is' } });
  });

  test.each(['/path', '/path/'])('cannot be deleted at %s', async (address) => {
    const { body } = await server.request.delete(`/api/v1${address}`).expect(403);
    expect(body).toMatchObject(exception(403, expect.stringContaining('root')));
    await server.request.get('/api/v1/path/').expect(200);
  });
});

describe('§4 slashes', () => {
  test.each([
    `/path${workspaces}/folder/`,
    `/path/${workspaces}//folder//`,
    `/path//default-domain/workspaces/folder`,
  ])('of %s make no difference', async (address) => {
    expect(await pathAt(address)).toBe(folder.path);
  });

  test('at the end make no difference to writes', async () => {
    const created = await server.request
      .post(`${at(folder.path)}/`)
      .send(entity({ name: 'a', type: 'File' }))
      .expect(201);
    expect(created.body.path).toBe(`${folder.path}/a`);
    await server.request
      .put(`${at(created.body.path)}/`)
      .send(entity({}))
      .expect(200);
    await server.request.delete(`${at(created.body.path)}/`).expect(204);
  });
});

describe('§4 percent-encoding', () => {
  test('of any character is decoded', async () => {
    expect(await pathAt('/path/default%2Ddomain/%77orkspaces')).toBe(workspaces);
  });

  test('is decoded once', async () => {
    const { path } = await createDocument(server, { parent: folder.path, name: '%41' });
    expect(await pathAt(`/path${folder.path}/%2541`)).toBe(path);
    await server.request.get(`/api/v1/path${folder.path}/A`).expect(404);
  });

  test('is not needed for what an address may hold', async () => {
    const { path } = await createDocument(server, { parent: folder.path, name: `a+b!$&'()*,;=:@c~` });
    expect(await pathAt(`/path${folder.path}/a+b!$&'()*,;=:@c~`)).toBe(path);
  });

  test('a plus is a plus, not a blank', async () => {
    await createDocument(server, { parent: folder.path, name: 'one two' });
    await server.request.get(`/api/v1/path${folder.path}/one+two`).expect(404);
    expect(await pathAt(`/path${folder.path}/one%20two`)).toBe(`${folder.path}/one two`);
  });

  test.each(['%', '%zz', '%c3', '%ff', '%ed%a0%80'])('that is wrong is refused: %s', async (segment) => {
    const { body } = await server.request.get(`/api/v1/path/${segment}`).expect(400);
    expect(body).toMatchObject(exception(400, expect.stringContaining('percent-encoded')));
  });
});

describe('§4 segments that begin with @', () => {
  test('raw start an adapter, and one that is not there is 404', async () => {
    const { path } = await createDocument(server, { parent: folder.path, name: '@odd' });
    const { body } = await server.request.get(`/api/v1/path${folder.path}/@odd`).expect(404);
    expect(body).toMatchObject(exception(404, expect.stringContaining('@odd')));
    expect(await pathAt(`/path${folder.path}/%40odd`)).toBe(path);
  });

  test('a document may have the name of an adapter', async () => {
    const { path } = await createDocument(server, { parent: folder.path, type: 'Folder', name: '@children' });
    expect(await pathAt(`/path${folder.path}/%40children`)).toBe(path);
    const list = await server.request.get(`/api/v1/path${folder.path}/%40children/@children`).expect(200);
    expect(list.body).toMatchObject({ 'entity-type': 'documents', resultsCount: 0 });
  });

  test('an @ further inside is an ordinary character', async () => {
    const { path } = await createDocument(server, { parent: folder.path, name: 'me@home' });
    expect(await pathAt(`/path${folder.path}/me@home`)).toBe(path);
    expect(await pathAt(`/path${folder.path}/me%40home`)).toBe(path);
  });
});

describe('§4.1 paths that lead nowhere', () => {
  test.each(['%00', 'a%00b', '%0A', '.hidden', 'x'.repeat(9000), 'DEFAULT-DOMAIN', '%2e%2e%2e', '*', '%25'])(
    '%s is not found',
    async (segment) => {
      await server.request.get(`/api/v1/path/${segment}`).expect(404);
      await server.request.put(`/api/v1/path/${segment}`).send(entity({})).expect(404);
      await server.request.delete(`/api/v1/path/${segment}`).expect(404);
      await server.request
        .post(`/api/v1/path/${segment}`)
        .send(entity({ name: 'a', type: 'File' }))
        .expect(404);
    },
  );

  test('below a document that is there, too', async () => {
    await server.request.get(at(`${folder.path}/nothing`)).expect(404);
    await server.request.get(at(`${folder.path.slice(0, -1)}`)).expect(404);
  });
});

describe('§4.1 paths longer than 8 KB', () => {
  test('are refused, and nothing is made', async () => {
    let parent = folder.path;
    for (let depth = 0; depth < 31; depth += 1) {
      const body = entity({ name: `${depth}`.padEnd(255, '-'), type: 'Folder' });
      parent = (await server.request.post(at(parent)).send(body).expect(201)).body.path;
    }
    const room = 8192 - Buffer.byteLength(parent) - 1;
    expect(room).toBeGreaterThan(0);
    const fits = await server.request
      .post(at(parent))
      .send(entity({ name: 'a'.repeat(room), type: 'File' }))
      .expect(201);
    expect(Buffer.byteLength(fits.body.path)).toBe(8192);
    const { body } = await server.request
      .post(at(parent))
      .send(entity({ name: 'b'.repeat(room + 1), type: 'File' }))
      .expect(400);
    expect(body).toMatchObject(exception(400, expect.stringContaining('8192 bytes')));
    await server.request.get(at(fits.body.path)).expect(200);
  });
});
