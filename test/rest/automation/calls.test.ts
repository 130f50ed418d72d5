/** @group every-database */

import { describe, expect, test } from '@jest/globals';
import { createDocument } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { startServer, statements, useServer } from '../../support/server.ts';

const server = useServer({ CONTEXT_PATH: '/nuxeo.x', BODY_LIMIT: '20kb' });
const { request } = server;

const base = '/nuxeo.x/api/v1';
const post = (path: string) => request.post(`${base}${path}`);
const fetchOf = (value: unknown) => post('/automation/Document.Fetch').send({ params: { value } });
const parentOf = (input: unknown) => post('/automation/Document.GetParent').send({ input });

/** Returns a document by REST from this server, which has a context path. */
async function newFile(name: string): Promise<{ uid: string; path: string }> {
  const body = { 'entity-type': 'document', name, type: 'File' };
  return (await post('/path/default-domain/workspaces').send(body).expect(201)).body;
}

describe('§4.7 the addresses of operations', () => {
  const body = { params: { value: '/default-domain' } };

  test.each([
    `${base}/automation/Repository.GetDocument`,
    `${base}/automation/Document.Fetch`,
    `${base}/automation/Document.Fetch/`,
    `${base}/repo/default/automation/Document.Fetch`,
    '/nuxeo.x/site/api/v1/automation/Document.Fetch',
    '/nuxeo.x/site/automation/Document.Fetch',
    '/nuxeo.x/site/automation/Document.Fetch/',
  ])('include POST %s', async (address) => {
    const response = await request.post(address).send(body).expect(200);
    expect(response.body).toMatchObject({ 'entity-type': 'document', path: '/default-domain' });
    expect(response.headers['content-type']).toContain('nuxeo-entity=document');
  });

  test('may be escaped, and are answered alike', async () => {
    for (const address of ['/automation', '/path/default-domain/@op', '/upload/no-batch/execute']) {
      const ask = (name: string) => post(`${address}/${name}`).send({ params: {} });
      const [plain, escaped] = [await ask('Document.Fetch'), await ask('Document%2EFetch')];
      expect(plain.status).toBe(400);
      expect(plain.body.message).toContain('value');
      expect([escaped.status, escaped.body.message]).toEqual([plain.status, plain.body.message]);
      await post(`${address}/Document%2EFetch/@async`).send({ params: {} }).expect(400);
    }
  });

  test('are the only ones below /site, and need credentials', async () => {
    await request.get('/nuxeo.x/site/path/default-domain').expect(404);
    await request.get('/nuxeo.x/site/automationx').expect(404);
    await request.get('/nuxeoyx/site/automation').expect(404);
    await server.anonymous.post('/nuxeo.x/site/automation/Document.Fetch').send(body).expect(401);
    await server.anonymous.post(`${base}/automation/Nosuch`).send(body).expect(401);
  });

  test('are 404 with an unknown operation', async () => {
    for (const path of [
      '/automation/Nosuch',
      '/automation/document.fetch',
      '/path/@op/Nosuch',
      '/id/x/@op/Nosuch',
    ]) {
      const response = await post(path).send(body).expect(404);
      expect(response.body).toMatchObject({ 'entity-type': 'exception', status: 404 });
    }
    await request.get(`${base}/automation/Nosuch`).expect(404);
  });

  test('answer 405 to other methods', async () => {
    const { headers } = await request.put(`${base}/automation/Document.Fetch`).send(body).expect(405);
    expect(headers.allow).toBe('GET, POST, OPTIONS, HEAD');
    await request.get(`${base}/path/@op/Document.Fetch`).expect(405);
  });

  test('with @op use the document of the URL as input and ignore that of the body', async () => {
    const { uid, path } = await newFile('adapted');
    for (const address of [`/path${path}`, `/id/${uid}`, `/repo/default/id/${uid}`]) {
      for (const input of ['/', {}, 5, 'blob:x', [1]]) {
        const response = await post(`${address}/@op/Document.GetParent`).send({ input }).expect(200);
        expect(response.body.path).toBe('/default-domain/workspaces');
      }
    }
    const root = await post('/path/@op/Document.GetChild').send({ params: { name: 'default-domain' } });
    expect(root.body.path).toBe('/default-domain');
    await post(`/path${path}/nothing/@op/Document.GetParent`).send({}).expect(404);
    await post('/id/nobody/@op/Document.GetParent').send({}).expect(404);
  });

  test.each<[unknown]>([
    [{}],
    [5],
    [[1]],
    [''],
    ['blob:x'],
    ['expr:This'],
    [{ 'entity-type': 'user', id: 1 }],
    [{ 'entity-type': 'odd' }],
  ])('ignore the input %j where the operation takes none', async (input) => {
    const sent = { input, params: { value: '/default-domain' } };
    for (const address of ['/automation', '/path/default-domain/@op'])
      expect((await post(`${address}/Document.Fetch`).send(sent).expect(200)).body.path).toBe(
        '/default-domain',
      );
    await post('/automation/Document.GetParent').send({ input }).expect(400);
  });

  test('with @op work for operations without an input', async () => {
    const { body: found } = await post('/path/default-domain/@op/Document.Fetch').send({
      params: { value: '/' },
    });
    expect(found.path).toBe('/');
  });
});

describe('§4.7 the body', () => {
  test('is 400 when it is missing or no JSON', async () => {
    await post('/automation/Log').expect(400);
    await post('/automation/Log').type('json').send('').expect(400);
    await post('/automation/Log').type('json').send('{"params":').expect(400);
  });

  test.each([
    ['[]'],
    ['1'],
    ['"text"'],
    ['{"params":[]}'],
    ['{"params":"a"}'],
    ['{"context":1}'],
    ['{"input":1}'],
  ])('%s is refused with 400', async (text) => {
    const response = await post('/automation/Document.GetParent').type('json').send(text).expect(400);
    expect(response.body).toMatchObject({ 'entity-type': 'exception', status: 400 });
  });

  test('can contain null and unknown fields', async () => {
    const body = { input: null, context: null, other: 1, params: { value: '/' } };
    await post('/automation/Document.Fetch').send(body).expect(200);
    await post('/automation/Document.Fetch')
      .send({ ...body, context: { a: 1 } })
      .expect(200);
  });

  test.each(['application/json', 'application/json+nxrequest', 'application/json; charset=utf-8'])(
    'is accepted as %s',
    async (type) => {
      const text = '{"params":{"value":"/"}}';
      await post('/automation/Document.Fetch').set('Content-Type', type).send(text).expect(200);
    },
  );

  test.each(['multipart/mixed; boundary=x', 'application/xml', 'text/plain'])(
    'is refused as %s with 415',
    async (type) => {
      const { body } = await post('/automation/Log').set('Content-Type', type).send('--x--').expect(415);
      expect(body.message).toMatch(
        /^The body must be application\/json, application\/x-www-form-urlencoded, /,
      );
    },
  );

  test('is 413 above BODY_LIMIT', async () => {
    await fetchOf('x'.repeat(21_000)).expect(413);
  });

  test('is 404 for a path that is longer than any document has, which the database does not read', async () => {
    for (const ask of [fetchOf, parentOf]) {
      const absent = await ask('/no-such-document').expect(404);
      const long = await ask(`/${'x'.repeat(8_192)}`).expect(404);
      expect(statements(long)).toBeLessThan(statements(absent));
    }
  });

  test('is 400 with a NUL in it', async () => {
    expect((await fetchOf('/\0').expect(400)).body.message).toContain('NUL');
    expect((await parentOf('/\0').expect(400)).body.message).toContain('NUL');
  });
});

describe('§9 headers of a call', () => {
  test('X-SvcVoidOperation gives 204 after the work', async () => {
    for (const [name, header] of [
      ['first', 'X-SvcVoidOperation'],
      ['second', 'X-NXVoidOperation'],
    ] as const) {
      const body = { input: '/default-domain/workspaces', params: { type: 'File', name } };
      const response = await post('/automation/Document.Create').set(header, 'true').send(body).expect(204);
      expect(response.text).toBe('');
      await request.get(`${base}/path/default-domain/workspaces/${name}`).expect(200);
    }
    const blob = post('/automation/Document.GetBlob').set('X-SvcVoidOperation', 'true');
    await blob.send({ input: '/default-domain' }).expect(204);
  });

  test('properties shapes every document of the answer', async () => {
    const { uid } = await newFile('shaped');
    const one = await parentOf(uid).set('properties', 'dublincore');
    expect(Object.keys(one.body.properties).every((xpath) => xpath.startsWith('dc:'))).toBe(true);
    const list = await parentOf([uid, uid]).set('X-NXDocumentProperties', 'common');
    for (const { properties } of list.body.entries) {
      expect(Object.keys(properties)).toEqual(['common:icon', 'common:icon-expanded']);
    }
  });

  test('Accept without JSON gives 406 only where the answer must be JSON', async () => {
    await parentOf('/default-domain').set('Accept', 'text/html').expect(406);
    await post('/automation/Document.GetBlob').set('Accept', 'text/html').send({ input: '/' }).expect(200);
  });

  test('Repository selects the repository', async () => {
    await fetchOf('/').set('Repository', 'nosuch').expect(404);
  });
});

describe('§4.7 a call that fails', () => {
  test('rolls back its work on earlier documents', async () => {
    await using here = await startServer();
    const { path } = await createDocument(here, { type: 'Folder' });
    const params = { type: 'File', name: 'half' };
    await call(here.request, 'Document.Create', { input: [path, '/nosuch'], params }).expect(404);
    await here.request.get(`/api/v1/path${path}/half`).expect(404);
  });
});
