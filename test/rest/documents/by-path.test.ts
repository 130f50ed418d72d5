import { describe, expect, test } from '@jest/globals';
import { atPath, createDocument, documentBody, missingId, workspaces } from '../../support/documents.ts';
import { exception } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';

const server = useServer();

const missing = `${workspaces}/nothing/here`;

describe('§4.1 POST /path/PARENT_DOC_PATH', () => {
  test('answers 201 and the new document', async () => {
    const body = documentBody({ name: 'made', type: 'File', properties: { 'dc:title': 'Made' } });
    const response = await server.request.post(atPath(workspaces)).send(body).expect(201);
    expect(response.body).toMatchObject({
      'entity-type': 'document',
      name: 'made',
      type: 'File',
      path: `${workspaces}/made`,
      properties: { 'dc:title': 'Made' },
    });
    const read = await server.request.get(atPath(`${workspaces}/made`)).expect(200);
    expect(read.body).toEqual(response.body);
  });

  test('answers 404 when the parent does not exist', async () => {
    const response = await server.request
      .post(atPath(missing))
      .send(documentBody({ name: 'a', type: 'File' }))
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
      .post(atPath(workspaces))
      .send(documentBody({ name: 'costly', type: 'File', properties }))
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

  test('answers 404 when the document does not exist', async () => {
    const response = await server.request.get(atPath(missing)).expect(404);
    expect(response.body).toMatchObject(exception(404, expect.stringContaining(missing)));
  });

  test('HEAD is answered like GET, without the body', async () => {
    const response = await server.request.head(atPath(workspaces)).expect(200);
    expect(response.headers.etag).toMatch(/^"\d+-\d+/);
    expect(response.text).toBeFalsy();
    await server.request.head(atPath(missing)).expect(404);
  });
});

describe('§4.1 PUT /path/DOC_PATH', () => {
  test('answers 200 and the changed document', async () => {
    const { path, uid } = await createDocument(server);
    const body = documentBody({ properties: { 'dc:title': 'Changed' } });
    const response = await server.request.put(atPath(path)).send(body).expect(200);
    expect(response.body).toMatchObject({
      uid,
      path,
      title: 'Changed',
      properties: { 'dc:title': 'Changed' },
    });
    expect((await server.request.get(atPath(path))).body).toEqual(response.body);
  });

  test('answers 404 when the document does not exist', async () => {
    const response = await server.request.put(atPath(missing)).send(documentBody({})).expect(404);
    expect(response.body).toMatchObject(exception(404, expect.stringContaining(missing)));
  });

  test('runs at most 2 statements for no change, 3 for a title, 4 for directory entries', async () => {
    const { path } = await createDocument(server);
    const put = async (properties: Record<string, unknown>) =>
      statements(await server.request.put(atPath(path)).send(documentBody({ properties })).expect(200));
    expect(await put({})).toBeLessThanOrEqual(2);
    expect(await put({ 'dc:title': 'A' })).toBeLessThanOrEqual(3);
    expect(
      await put({ 'dc:subjects': ['art', 'art/cinema', 'sciences/math'], 'dc:nature': 'article' }),
    ).toBeLessThanOrEqual(4);
  });
});

describe('§4.1 DELETE /path/DOC_PATH', () => {
  test('answers 204 without a body, and the document no longer exists', async () => {
    const { path } = await createDocument(server);
    const response = await server.request.delete(atPath(path)).expect(204);
    expect(response.text).toBe('');
    await server.request.get(atPath(path)).expect(404);
  });

  test('answers 404 when the document does not exist or was deleted before', async () => {
    const { path } = await createDocument(server);
    await server.request.delete(atPath(path)).expect(204);
    const response = await server.request.delete(atPath(path)).expect(404);
    expect(response.body).toMatchObject(exception(404, expect.stringContaining(path)));
    await server.request.delete(atPath(missing)).expect(404);
  });
});

describe('§4.1 requests to /path', () => {
  test.each(['get', 'post', 'put', 'delete'] as const)(
    '%s without credentials answers 401',
    async (method) => {
      const response = await server.anonymous[method](atPath(missing)).expect(401);
      expect(response.body).toMatchObject(exception(401, expect.any(String)));
    },
  );

  test('an error body contains the request id of the X-Request-Id header', async () => {
    const response = await server.request.get(atPath(`/${missingId}`)).expect(404);
    expect(response.body.requestId).toBe(response.headers['x-request-id']);
    expect(response.headers['content-type']).toMatch(/^application\/json/);
  });

  test('an unsupported method answers 405 and the allowed methods', async () => {
    const response = await server.request.patch(atPath(workspaces)).send(documentBody({})).expect(405);
    expect(response.headers.allow?.split(', ').sort()).toEqual([
      'DELETE',
      'GET',
      'HEAD',
      'OPTIONS',
      'POST',
      'PUT',
    ]);
  });

  test('a body with another content type than JSON answers 415', async () => {
    await server.request.post(atPath(workspaces)).type('text/plain').send('text').expect(415);
    await server.request.put(atPath(workspaces)).type('application/xml').send('<a/>').expect(415);
  });
});

describe('§9 X-SvcVoidOperation', () => {
  const silent = { 'X-SvcVoidOperation': 'true' };

  test('POST creates the document and answers 204 without a body', async () => {
    const body = documentBody({ name: 'silent', type: 'File' });
    const response = await server.request.post(atPath(workspaces)).set(silent).send(body).expect(204);
    expect(response.text).toBe('');
    await server.request.get(atPath(`${workspaces}/silent`)).expect(200);
  });

  test('PUT updates the document and answers 204 without a body', async () => {
    const { path } = await createDocument(server);
    const body = documentBody({ properties: { 'dc:title': 'silently' } });
    const response = await server.request.put(atPath(path)).set(silent).send(body).expect(204);
    expect(response.text).toBe('');
    expect((await server.request.get(atPath(path))).body.title).toBe('silently');
  });

  test('an error is still answered with its status and body', async () => {
    const response = await server.request.put(atPath(missing)).set(silent).send(documentBody({})).expect(404);
    expect(response.body).toMatchObject({ 'entity-type': 'exception', status: 404 });
  });
});
