import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDocument } from '../support/factories.ts';
import { start, statements, type TestServer } from '../support/server.ts';
import { at, atId, entity, exception, nobody, workspaces } from './documents/requests.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.stop());

describe('§4.2 POST /id/PARENT_DOC_ID', () => {
  test('answers 201 and the new document, a child of the one addressed', async () => {
    const parent = await createDocument(server, { type: 'Folder' });
    const response = await server.request
      .post(atId(parent.uid))
      .send(entity({ name: 'made', type: 'Note', properties: { 'note:note': 'text' } }))
      .expect(201);
    expect(response.body).toMatchObject({
      path: `${parent.path}/made`,
      parentRef: parent.uid,
      type: 'Note',
      properties: { 'note:note': 'text' },
    });
    expect(statements(response)).toBeLessThanOrEqual(8);
    const read = await server.request.get(atId(response.body.uid)).expect(200);
    expect(read.body).toEqual(response.body);
  });

  test('answers 404 where there is no parent', async () => {
    const response = await server.request
      .post(atId(nobody))
      .send(entity({ name: 'a', type: 'File' }))
      .expect(404);
    expect(response.body).toMatchObject(exception(404, expect.stringContaining(nobody)));
  });
});

describe('§4.2 GET /id/DOC_ID', () => {
  test('answers 200 and the same document as by its path, in at most two statements', async () => {
    const { uid, path } = await createDocument(server);
    const response = await server.request.get(atId(uid)).expect(200);
    expect(response.body).toEqual((await server.request.get(at(path))).body);
    expect(statements(response)).toBeLessThanOrEqual(2);
  });

  test('answers 404 where there is no document', async () => {
    const response = await server.request.get(atId(nobody)).expect(404);
    expect(response.body).toMatchObject(exception(404, expect.stringContaining(nobody)));
  });
});

describe('§4.2 PUT /id/DOC_ID', () => {
  test('answers 200 and the changed document', async () => {
    const { uid } = await createDocument(server);
    const response = await server.request
      .put(atId(uid))
      .send(entity({ properties: { 'dc:title': 'Changed' } }))
      .expect(200);
    expect(response.body).toMatchObject({ uid, title: 'Changed' });
    expect((await server.request.get(atId(uid))).body).toEqual(response.body);
  });

  test('answers 404 where there is no document', async () => {
    const response = await server.request.put(atId(nobody)).send(entity({})).expect(404);
    expect(response.body).toMatchObject(exception(404, expect.stringContaining(nobody)));
  });
});

describe('§4.2 DELETE /id/DOC_ID', () => {
  test('answers 204 without a body, and the document is gone', async () => {
    const { uid, path } = await createDocument(server);
    const response = await server.request.delete(atId(uid)).expect(204);
    expect(response.text).toBe('');
    await server.request.get(atId(uid)).expect(404);
    await server.request.get(at(path)).expect(404);
  });

  test('answers 404 where there is no document, or none any more', async () => {
    const { uid } = await createDocument(server);
    await server.request.delete(atId(uid)).expect(204);
    await server.request.delete(atId(uid)).expect(404);
    const response = await server.request.delete(atId(nobody)).expect(404);
    expect(response.body).toMatchObject(exception(404, expect.stringContaining(nobody)));
  });
});

describe('§4.2 ids', () => {
  const odd = [
    ...['1', 'default-domain', 'null', '..%2f', '%20', '%00', `${nobody}%00`, `${nobody}0`, nobody.slice(1)],
    ...[nobody.replaceAll('-', ''), `{${nobody}}`, `%7B${nobody}%7D`, 'é', 'constructor', `${nobody}%0A`],
    ...["'; DROP TABLE document; --", 'x'.repeat(5000)].map(encodeURIComponent),
  ];

  test.each(odd)('what is no UUID is not found: %s', async (id) => {
    const body = entity({ name: 'a', type: 'File' });
    await server.request.get(atId(id)).expect(404);
    await server.request.put(atId(id)).send(body).expect(404);
    await server.request.post(atId(id)).send(body).expect(404);
    await server.request.delete(atId(id)).expect(404);
  });

  test('upper case is the same id', async () => {
    const { uid } = await createDocument(server, { type: 'Folder' });
    const address = atId(uid.toUpperCase());
    expect((await server.request.get(address).expect(200)).body.uid).toBe(uid);
    const body = entity({ uid: uid.toUpperCase(), properties: { 'dc:title': 'A' } });
    expect((await server.request.put(address).send(body).expect(200)).body.uid).toBe(uid);
    const child = await server.request
      .post(address)
      .send(entity({ name: 'a', type: 'File' }))
      .expect(201);
    expect(child.body.parentRef).toBe(uid);
    await server.request.delete(address).expect(204);
    await server.request.get(atId(uid)).expect(404);
  });

  test('a trailing slash makes no difference', async () => {
    const { uid } = await createDocument(server);
    expect((await server.request.get(`${atId(uid)}/`).expect(200)).body.uid).toBe(uid);
    await server.request
      .put(`${atId(uid)}/`)
      .send(entity({}))
      .expect(200);
    await server.request.delete(`${atId(uid)}/`).expect(204);
  });

  test('below an id there are adapters only', async () => {
    const { uid } = await createDocument(server);
    await server.request.get(`${atId(uid)}/child`).expect(404);
    await server.request.get(`${atId(uid)}/@nothing`).expect(404);
    await server.request.get('/api/v1/id').expect(404);
    await server.request.get('/api/v1/id/').expect(404);
  });

  test('the root may be read and changed by its id, and not deleted', async () => {
    const { uid } = (await server.request.get('/api/v1/path/')).body;
    expect((await server.request.get(atId(uid)).expect(200)).body).toMatchObject({
      path: '/',
      parentRef: null,
    });
    await server.request
      .put(atId(uid))
      .send(entity({ properties: { 'dc:title': 'Root' } }))
      .expect(200);
    const response = await server.request.delete(atId(uid)).expect(403);
    expect(response.body).toMatchObject(exception(403, expect.any(String)));
  });

  test('a body is as it would be by path', async () => {
    const folder = await createDocument(server, { parent: workspaces, type: 'Folder' });
    await server.request.post(atId(folder.uid)).send({ name: 'a', type: 'File' }).expect(400);
    await server.request
      .put(atId(folder.uid))
      .send(entity({ uid: nobody }))
      .expect(400);
    await server.request
      .put(atId(folder.uid))
      .send(entity({ changeToken: '9-9' }))
      .expect(409);
    const properties = { 'dc:nature': 'none' };
    await server.request.put(atId(folder.uid)).send(entity({ properties })).expect(422);
  });
});
