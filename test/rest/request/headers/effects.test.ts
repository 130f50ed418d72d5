import { describe, expect, test } from '@jest/globals';
import { createDocument } from '../../../support/documents.ts';
import { statements, useServer } from '../../../support/server.ts';

const server = useServer();

const root = '/api/v1/path/';

describe('§9 X-SvcVoidOperation', () => {
  const newFolder = (name: string) => ({ 'entity-type': 'document', type: 'Folder', name });

  test.each([
    ['X-SvcVoidOperation', 'true'],
    ['X-NXVoidOperation', 'TRUE'],
  ])('a POST with %s: %s writes and answers 204 without a body', async (name, value) => {
    const response = await server.request.post(root).set(name, value).send(newFolder(name)).expect(204);
    expect(response.text).toBe('');
    expect(response.headers).not.toHaveProperty('content-type');
    await server.request.get(`/api/v1/path/${name}`).expect(200);
  });

  test('is accepted as a query parameter', async () => {
    await server.request
      .post(root)
      .query({ 'X-SvcVoidOperation': 'true' })
      .send(newFolder('asked'))
      .expect(204);
    await server.request.get('/api/v1/path/asked').expect(200);
  });

  test('makes a PUT answer 204 after its write', async () => {
    const { uid } = await createDocument(server, { name: 'silent' });
    const body = { 'entity-type': 'document', properties: { 'dc:title': 'Changed' } };
    await server.request.put(`/api/v1/id/${uid}`).set('X-SvcVoidOperation', 'true').send(body).expect(204);
    expect((await server.request.get(`/api/v1/id/${uid}`)).body.title).toBe('Changed');
  });

  test('does not change the answer of a DELETE', async () => {
    const { uid } = await createDocument(server);
    await server.request.delete(`/api/v1/id/${uid}`).set('X-SvcVoidOperation', 'true').expect(204);
    await server.request.get(`/api/v1/id/${uid}`).expect(404);
  });

  test('has no effect on GET and HEAD', async () => {
    const { body } = await server.request.get(root).set('X-SvcVoidOperation', 'true').expect(200);
    expect(body.path).toBe('/');
    await server.request.head(root).set('X-SvcVoidOperation', 'true').expect(200);
  });

  test('has no effect when false', async () => {
    await server.request.post(root).set('X-SvcVoidOperation', 'false').send(newFolder('said')).expect(201);
  });

  test('does not suppress errors', async () => {
    const post = server.request.post('/api/v1/path/nosuch').set('X-SvcVoidOperation', 'true');
    const { body } = await post.send(newFolder('x')).expect(404);
    expect(body).toMatchObject({ 'entity-type': 'exception', status: 404 });
  });
});

describe('§9 Svc-Transaction-Timeout', () => {
  test('does not change the answer or the SQL cost of a read', async () => {
    const list = '/api/v1/path/default-domain/@children?sortBy=dc:created&sortOrder=asc';
    const plain = await server.request.get(list).expect(200);
    const timed = await server.request.get(list).set('Svc-Transaction-Timeout', '30').expect(200);
    expect(timed.body).toEqual(plain.body);
    expect(statements(timed)).toBe(statements(plain));
  });

  test('does not change the answer for a missing resource', async () => {
    await server.request.get('/api/v1/path/nosuch').set('Svc-Transaction-Timeout', '30').expect(404);
    await server.request
      .get('/api/v1/config/types/nosuch')
      .set('Nuxeo-Transaction-Timeout', '30')
      .expect(204);
  });

  test('does not prevent a write', async () => {
    const body = { 'entity-type': 'document', type: 'Folder', name: 'timed' };
    await server.request.post(root).set('Svc-Transaction-Timeout', '86400').send(body).expect(201);
    await server.request.get('/api/v1/path/timed').expect(200);
  });
});

describe('§9 X-Versioning-Option, source, svc_es_sync, skipAggregates', () => {
  test.each([
    ['X-Versioning-Option', 'NONE'],
    ['source', 'drive, or whatever'],
    ['svc_es_sync', 'true'],
    ['nx-es-sync', 'TRUE'],
    ['skipAggregates', 'true'],
  ])('the header %s: %s does not change the effect of a write', async (name, value) => {
    const { uid } = await createDocument(server);
    const body = { 'entity-type': 'document', properties: { 'dc:title': name } };
    const changed = await server.request.put(`/api/v1/id/${uid}`).set(name, value).send(body).expect(200);
    expect(changed.body).toMatchObject({ uid, title: name, isVersion: false });
  });
});
