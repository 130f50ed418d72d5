import { describe, expect, test } from '@jest/globals';
import {
  atId,
  atPath,
  createDocument,
  documentBody,
  missingId,
  updateDocument,
  workspaces,
} from '../../support/documents.ts';
import { exception } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';

const server = useServer();

describe('§4.2 POST /id/PARENT_DOC_ID', () => {
  test('answers 201 and the new document, a child of the addressed one', async () => {
    const parent = await createDocument(server, { type: 'Folder' });
    const response = await server.request
      .post(atId(parent.uid))
      .send(documentBody({ name: 'made', type: 'Note', properties: { 'note:note': 'text' } }))
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

  test('answers 404 when the parent does not exist', async () => {
    const response = await server.request
      .post(atId(missingId))
      .send(documentBody({ name: 'a', type: 'File' }))
      .expect(404);
    expect(response.body).toMatchObject(exception(404, expect.stringContaining(missingId)));
  });
});

describe('§4.2 GET /id/DOC_ID', () => {
  test('answers 200 and the same document as GET /path, in at most two statements', async () => {
    const { uid, path } = await createDocument(server);
    const response = await server.request.get(atId(uid)).expect(200);
    expect(response.body).toEqual((await server.request.get(atPath(path))).body);
    expect(statements(response)).toBeLessThanOrEqual(2);
  });

  test('answers 404 when the document does not exist', async () => {
    const response = await server.request.get(atId(missingId)).expect(404);
    expect(response.body).toMatchObject(exception(404, expect.stringContaining(missingId)));
  });
});

describe('§4.2 PUT /id/DOC_ID', () => {
  test('answers 200 and the changed document', async () => {
    const { uid } = await createDocument(server);
    const response = await updateDocument(server.request, uid, { 'dc:title': 'Changed' }).expect(200);
    expect(response.body).toMatchObject({ uid, title: 'Changed' });
    expect((await server.request.get(atId(uid))).body).toEqual(response.body);
  });

  test('answers 404 when the document does not exist', async () => {
    const response = await server.request.put(atId(missingId)).send(documentBody({})).expect(404);
    expect(response.body).toMatchObject(exception(404, expect.stringContaining(missingId)));
  });
});

describe('§4.2 DELETE /id/DOC_ID', () => {
  test('answers 204 without a body, and the document no longer exists', async () => {
    const { uid, path } = await createDocument(server);
    const response = await server.request.delete(atId(uid)).expect(204);
    expect(response.text).toBe('');
    await server.request.get(atId(uid)).expect(404);
    await server.request.get(atPath(path)).expect(404);
  });

  test('answers 404 when the document does not exist or was deleted before', async () => {
    const { uid } = await createDocument(server);
    await server.request.delete(atId(uid)).expect(204);
    await server.request.delete(atId(uid)).expect(404);
    const response = await server.request.delete(atId(missingId)).expect(404);
    expect(response.body).toMatchObject(exception(404, expect.stringContaining(missingId)));
  });
});

describe('§4.2 the id in the address', () => {
  const odd = [
    '1',
    'default-domain',
    'null',
    '..%2f',
    '%20',
    '%00',
    `${missingId}%00`,
    `${missingId}0`,
    missingId.slice(1),
    missingId.replaceAll('-', ''),
    `{${missingId}}`,
    `%7B${missingId}%7D`,
    'é',
    'constructor',
    `${missingId}%0A`,
    ...["'; DROP TABLE document; --", 'x'.repeat(5000)].map(encodeURIComponent),
  ];

  test.each(odd)('an id that is not a UUID is not found: %s', async (id) => {
    const body = documentBody({ name: 'a', type: 'File' });
    await server.request.get(atId(id)).expect(404);
    await server.request.put(atId(id)).send(body).expect(404);
    await server.request.post(atId(id)).send(body).expect(404);
    await server.request.delete(atId(id)).expect(404);
  });

  test('a UUID in upper case addresses the same document', async () => {
    const { uid } = await createDocument(server, { type: 'Folder' });
    const address = atId(uid.toUpperCase());
    expect((await server.request.get(address).expect(200)).body.uid).toBe(uid);
    const body = documentBody({ uid: uid.toUpperCase(), properties: { 'dc:title': 'A' } });
    expect((await server.request.put(address).send(body).expect(200)).body.uid).toBe(uid);
    const child = await server.request
      .post(address)
      .send(documentBody({ name: 'a', type: 'File' }))
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
      .send(documentBody({}))
      .expect(200);
    await server.request.delete(`${atId(uid)}/`).expect(204);
  });

  test('only adapters exist below the address of a document', async () => {
    const { uid } = await createDocument(server);
    await server.request.get(`${atId(uid)}/child`).expect(404);
    await server.request.get(`${atId(uid)}/@nothing`).expect(404);
    await server.request.get('/api/v1/id').expect(404);
    await server.request.get('/api/v1/id/').expect(404);
  });

  test('the root can be read and updated by its id, but not deleted', async () => {
    const { uid } = (await server.request.get('/api/v1/path/')).body;
    expect((await server.request.get(atId(uid)).expect(200)).body).toMatchObject({
      path: '/',
      parentRef: null,
    });
    await updateDocument(server.request, uid, { 'dc:title': 'Root' }).expect(200);
    const response = await server.request.delete(atId(uid)).expect(403);
    expect(response.body).toMatchObject(exception(403, expect.any(String)));
  });

  test('bodies are checked as in requests by path', async () => {
    const folder = await createDocument(server, { parent: workspaces, type: 'Folder' });
    await server.request.post(atId(folder.uid)).send({ name: 'a', type: 'File' }).expect(400);
    await server.request
      .put(atId(folder.uid))
      .send(documentBody({ uid: missingId }))
      .expect(400);
    await server.request
      .put(atId(folder.uid))
      .send(documentBody({ changeToken: '9-9' }))
      .expect(409);
    const properties = { 'dc:nature': 'none' };
    await updateDocument(server.request, folder.uid, properties).expect(422);
  });
});
