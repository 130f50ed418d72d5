import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDocument } from '../support/factories.ts';
import { start, statements, type TestServer } from '../support/server.ts';
import { at, entity, exception, nobody, workspaces } from './documents/requests.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.stop());

const missing = `${workspaces}/nothing/here`;

describe('§4.1 POST /path/PARENT_DOC_PATH', () => {
  test('answers 201 and the new document', async () => {
    const body = entity({ name: 'made', type: 'File', properties: { 'dc:title': 'Made' } });
    const response = await server.request.post(at(workspaces)).send(body).expect(201);
    expect(response.body).toMatchObject({
      'entity-type': 'document',
      name: 'made',
      type: 'File',
      path: `${workspaces}/made`,
      properties: { 'dc:title': 'Made' },
    });
    const read = await server.request.get(at(`${workspaces}/made`)).expect(200);
    expect(read.body).toEqual(response.body);
  });

  test('answers 404 where there is no parent', async () => {
    const response = await server.request
      .post(at(missing))
      .send(entity({ name: 'a', type: 'File' }))
      .expect(404);
    expect(response.body).toMatchObject(exception(404, expect.stringContaining(missing)));
  });

  test('costs at most eight statements', async () => {
    const properties = {
      'dc:subjects': ['art/architecture', 'sciences/math'],
      'dc:nature': 'article',
      'file:content': { content: 'text' },
    };
    const response = await server.request
      .post(at(workspaces))
      .send(entity({ name: 'costly', type: 'File', properties }))
      .expect(201);
    expect(statements(response)).toBeLessThanOrEqual(8);
  });
});

describe('§4.1 GET /path/DOC_PATH', () => {
  test('answers 200 and the document in at most two statements', async () => {
    const response = await server.request.get('/api/v1/path/default-domain').expect(200);
    expect(response.body).toMatchObject({
      'entity-type': 'document',
      path: '/default-domain',
      type: 'Domain',
    });
    expect(statements(response)).toBeLessThanOrEqual(2);
  });

  test('answers 404 where there is no document', async () => {
    const response = await server.request.get(at(missing)).expect(404);
    expect(response.body).toMatchObject(exception(404, expect.stringContaining(missing)));
  });

  test('answers HEAD like GET, without the body', async () => {
    const response = await server.request.head(at(workspaces)).expect(200);
    expect(response.headers.etag).toMatch(/^"\d+-\d+/);
    expect(response.text).toBeFalsy();
    await server.request.head(at(missing)).expect(404);
  });
});

describe('§4.1 PUT /path/DOC_PATH', () => {
  test('answers 200 and the changed document', async () => {
    const { path, uid } = await createDocument(server);
    const body = entity({ properties: { 'dc:title': 'Changed' } });
    const response = await server.request.put(at(path)).send(body).expect(200);
    expect(response.body).toMatchObject({
      uid,
      path,
      title: 'Changed',
      properties: { 'dc:title': 'Changed' },
    });
    expect((await server.request.get(at(path))).body).toEqual(response.body);
  });

  test('answers 404 where there is no document', async () => {
    const response = await server.request.put(at(missing)).send(entity({})).expect(404);
    expect(response.body).toMatchObject(exception(404, expect.stringContaining(missing)));
  });

  test('costs as few statements as it writes things', async () => {
    const { path } = await createDocument(server);
    const put = async (properties: Record<string, unknown>) =>
      statements(await server.request.put(at(path)).send(entity({ properties })).expect(200));
    expect(await put({})).toBeLessThanOrEqual(2);
    expect(await put({ 'dc:title': 'A' })).toBeLessThanOrEqual(3);
    expect(
      await put({ 'dc:subjects': ['art', 'art/cinema', 'sciences/math'], 'dc:nature': 'article' }),
    ).toBeLessThanOrEqual(4);
  });
});

describe('§4.1 DELETE /path/DOC_PATH', () => {
  test('answers 204 without a body, and the document is gone', async () => {
    const { path } = await createDocument(server);
    const response = await server.request.delete(at(path)).expect(204);
    expect(response.text).toBe('');
    await server.request.get(at(path)).expect(404);
  });

  test('answers 404 where there is no document, or none any more', async () => {
    const { path } = await createDocument(server);
    await server.request.delete(at(path)).expect(204);
    const response = await server.request.delete(at(path)).expect(404);
    expect(response.body).toMatchObject(exception(404, expect.stringContaining(path)));
    await server.request.delete(at(missing)).expect(404);
  });
});

describe('§4.1 for every row', () => {
  test.each(['get', 'post', 'put', 'delete'] as const)('%s asks for credentials first', async (method) => {
    const response = await server.anonymous[method](at(missing)).expect(401);
    expect(response.body).toMatchObject(exception(401, expect.any(String)));
  });

  test('an error body has a request id, the one of the header', async () => {
    const response = await server.request.get(at(`/${nobody}`)).expect(404);
    expect(response.body.requestId).toBe(response.headers['x-request-id']);
    expect(response.headers['content-type']).toMatch(/^application\/json/);
  });

  test('another verb is answered with 405 and the verbs there are', async () => {
    const response = await server.request.patch(at(workspaces)).send(entity({})).expect(405);
    expect(response.headers.allow?.split(', ').sort()).toEqual([
      'DELETE',
      'GET',
      'HEAD',
      'OPTIONS',
      'POST',
      'PUT',
    ]);
  });

  test('a body that is no JSON by its type is answered with 415', async () => {
    await server.request.post(at(workspaces)).type('text/plain').send('text').expect(415);
    await server.request.put(at(workspaces)).type('application/xml').send('<a/>').expect(415);
  });
});

describe('§9 X-SvcVoidOperation', () => {
  const silent = { 'X-SvcVoidOperation': 'true' };

  test('POST makes the document and answers 204 without a body', async () => {
    const body = entity({ name: 'silent', type: 'File' });
    const response = await server.request.post(at(workspaces)).set(silent).send(body).expect(204);
    expect(response.text).toBe('');
    await server.request.get(at(`${workspaces}/silent`)).expect(200);
  });

  test('PUT changes the document and answers 204 without a body', async () => {
    const { path } = await createDocument(server);
    const body = entity({ properties: { 'dc:title': 'silently' } });
    const response = await server.request.put(at(path)).set(silent).send(body).expect(204);
    expect(response.text).toBe('');
    expect((await server.request.get(at(path))).body.title).toBe('silently');
  });

  test('an error is told all the same', async () => {
    const response = await server.request.put(at(missing)).set(silent).send(entity({})).expect(404);
    expect(response.body).toMatchObject({ 'entity-type': 'exception', status: 404 });
  });
});
