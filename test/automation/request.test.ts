import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDocument } from '../support/factories.ts';
import { start, type TestServer } from '../support/server.ts';
import { as, createUser } from '../support/users.ts';
import { call } from './calls.ts';

let server: TestServer;
let request: TestServer['request'];
beforeAll(async () => {
  server = await start({ CONTEXT_PATH: '/nuxeo.x', BODY_LIMIT: '20kb' });
  ({ request } = server);
});
afterAll(() => server.stop());

const base = '/nuxeo.x/api/v1';
const post = (path: string) => request.post(`${base}${path}`);
const fetchOf = (value: unknown) => post('/automation/Document.Fetch').send({ params: { value } });
const parentOf = (input: unknown) => post('/automation/Document.GetParent').send({ input });

/** A document by REST of this server, which has a context path. */
async function newFile(name: string): Promise<{ uid: string; path: string }> {
  const body = { 'entity-type': 'document', name, type: 'File' };
  return (await post('/path/default-domain/workspaces').send(body).expect(201)).body;
}

describe('§4.7 where an operation is called', () => {
  const body = { params: { value: '/default-domain' } };

  test.each([
    `${base}/automation/Repository.GetDocument`,
    `${base}/automation/Document.Fetch`,
    `${base}/automation/Document.Fetch/`,
    `${base}/repo/default/automation/Document.Fetch`,
    '/nuxeo.x/site/api/v1/automation/Document.Fetch',
    '/nuxeo.x/site/automation/Document.Fetch',
    '/nuxeo.x/site/automation/Document.Fetch/',
  ])('POST %s', async (address) => {
    const response = await request.post(address).send(body).expect(200);
    expect(response.body).toMatchObject({ 'entity-type': 'document', path: '/default-domain' });
    expect(response.headers['content-type']).toContain('nuxeo-entity=document');
  });

  test('nothing else is below /site, and nothing without credentials', async () => {
    await request.get('/nuxeo.x/site/path/default-domain').expect(404);
    await request.get('/nuxeo.x/site/automationx').expect(404);
    await request.get('/nuxeoyx/site/automation').expect(404);
    await server.anonymous.post('/nuxeo.x/site/automation/Document.Fetch').send(body).expect(401);
    await server.anonymous.post(`${base}/automation/Nosuch`).send(body).expect(401);
  });

  test('an operation that there is not is 404, wherever it is called', async () => {
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

  test('another verb is 405', async () => {
    const { headers } = await request.put(`${base}/automation/Document.Fetch`).send(body).expect(405);
    expect(headers.allow).toBe('GET, POST, OPTIONS, HEAD');
    await request.get(`${base}/path/@op/Document.Fetch`).expect(405);
  });

  test('@op: the document of the address is the input, whatever the body says', async () => {
    const { uid, path } = await newFile('adapted');
    for (const address of [`/path${path}`, `/id/${uid}`, `/repo/default/id/${uid}`]) {
      const response = await post(`${address}/@op/Document.GetParent`).send({ input: '/' }).expect(200);
      expect(response.body.path).toBe('/default-domain/workspaces');
    }
    const root = await post('/path/@op/Document.GetChild').send({ params: { name: 'default-domain' } });
    expect(root.body.path).toBe('/default-domain');
    await post(`/path${path}/nothing/@op/Document.GetParent`).send({}).expect(404);
    await post('/id/nobody/@op/Document.GetParent').send({}).expect(404);
  });

  test('@op of an operation that takes nothing works all the same', async () => {
    const { body: found } = await post('/path/default-domain/@op/Document.Fetch').send({
      params: { value: '/' },
    });
    expect(found.path).toBe('/');
  });
});

describe('§4.7 the body', () => {
  test('none, or one that is no JSON, is 400', async () => {
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
  ])('%s is 400', async (text) => {
    const response = await post('/automation/Document.GetParent').type('json').send(text).expect(400);
    expect(response.body).toMatchObject({ 'entity-type': 'exception', status: 400 });
  });

  test('null is nothing, and other fields are ignored', async () => {
    const body = { input: null, context: null, other: 1, params: { value: '/' } };
    await post('/automation/Document.Fetch').send(body).expect(200);
    await post('/automation/Document.Fetch')
      .send({ ...body, context: { a: 1 } })
      .expect(200);
  });

  test.each(['application/json', 'application/json+nxrequest', 'application/json; charset=utf-8'])(
    'is taken as %s',
    async (type) => {
      const text = '{"params":{"value":"/"}}';
      await post('/automation/Document.Fetch').set('Content-Type', type).send(text).expect(200);
    },
  );

  test.each(['multipart/mixed; boundary=x', 'application/xml', 'text/plain'])(
    'is not taken as %s: 415',
    async (type) => {
      const { body } = await post('/automation/Log').set('Content-Type', type).send('--x--').expect(415);
      expect(body.message).toMatch(
        /^the body must be application\/json, application\/x-www-form-urlencoded, /,
      );
    },
  );

  test('more than BODY_LIMIT is 413', async () => {
    await fetchOf('x'.repeat(21_000)).expect(413);
  });

  test('a NUL in it is 400', async () => {
    expect((await fetchOf('/\0').expect(400)).body.message).toContain('NUL');
    expect((await parentOf('/\0').expect(400)).body.message).toContain('NUL');
  });
});

describe('§4.7 params', () => {
  const bad: Array<[string, Record<string, unknown>, string]> = [
    ['Document.Fetch', {}, 'value: is missing'],
    ['Document.Fetch', { value: null }, 'value: is missing'],
    ['Document.Fetch', { value: 1 }, 'value: names no document'],
    ['Document.Fetch', { value: 'expr:Document.id' }, 'value: expressions (expr:) are not served'],
    ['Document.Fetch', { value: '/', other: 1 }, 'other: Repository.GetDocument has no such parameter'],
    ['Document.Create', { type: ['File'] }, 'type: is no text'],
    [
      'Document.Create',
      { type: 'File', properties: 'title' },
      'properties: line 1 is not of the form name=value',
    ],
    [
      'Document.Create',
      { type: 'File', properties: [1] },
      'properties: is neither an object nor lines of name=value',
    ],
    ['Document.AddPermission', { permission: 'Read', begin: 'soon' }, 'begin: is no W3C date-time'],
    ['Document.AddPermission', { permission: 'Read', notify: 'yes' }, 'notify: is neither true nor false'],
    ['Document.AddPermission', { permission: 'Read', users: { a: 1 } }, 'users: is no list of texts'],
    ['Log', { message: 'x', level: 'loud' }, 'level: is none of debug, info, warn, error'],
  ];

  test.each(bad)('%s with %j: 400, %s', async (operation, params, message) => {
    const response = await post(`/automation/${operation}`)
      .send({ input: '/default-domain', params })
      .expect(400);
    expect(response.body.message).toBe(message);
  });

  test('what a form leaves empty is left out, whether the operation has such a parameter or not', async () => {
    const { body } = await post('/automation/Document.AddPermission')
      .set('enrichers.document', 'acls')
      .send({
        input: '/default-domain/templates',
        params: {
          ...{ users: ['members'], permission: 'Write', username: null, email: '', begin: '', end: null },
          ...{ notify: '', odd: null, list: [], text: '', context: { currentDocument: '/' } },
        },
      })
      .expect(200);
    const [local] = body.contextParameters.acls;
    expect(local).toMatchObject({ name: 'local', aces: [{ username: 'members', begin: null, end: null }] });
    const { body: refused } = await post('/automation/Document.AddACE')
      .send({ input: '/', params: { user: 'members', permission: 'Read', grant: [], overwrite: false } })
      .expect(400);
    expect(refused.message).toBe('grant: is neither true nor false');
  });

  test('all faults are told at once', async () => {
    const { body } = await post('/automation/Document.Create')
      .send({ input: '/', params: { nam: 'a' } })
      .expect(400);
    expect(body.message).toBe('type: is missing; nam: Document.Create has no such parameter');
  });

  test('texts are read as what they should be', async () => {
    const params = { user: 'Administrator', permission: 'Read', grant: 'false', overwrite: 'TRUE' };
    await post('/automation/Document.SetACE').send({ input: '/default-domain/sections', params }).expect(200);
    const { body } = await request.get(`${base}/path/default-domain/sections/@acl`).expect(200);
    expect(body.acl[0].ace).toMatchObject([{ username: 'Administrator', granted: false }]);
  });
});

describe('§4.7 input', () => {
  test('in each of its forms', async () => {
    const { uid, path } = await newFile('one');
    const { body: entity } = await request.get(`${base}/id/${uid}`).expect(200);
    for (const input of [`doc:${uid}`, `doc:${path}`, uid, path, ` ${path} `, entity, uid.toUpperCase()]) {
      const { body } = await parentOf(input).expect(200);
      expect(body).toMatchObject({ 'entity-type': 'document', path: '/default-domain/workspaces' });
    }
    const documents = { 'entity-type': 'documents', entries: [entity, { uid }] };
    for (const input of [`docs:${uid},${path}`, [uid, path], [`doc:${uid}`, entity], documents]) {
      const { body } = await parentOf(input).expect(200);
      expect(body['entity-type']).toBe('documents');
      expect(body.entries).toHaveLength(2);
    }
    expect((await parentOf([uid]).expect(200)).body.entries).toHaveLength(1);
    expect((await parentOf('docs:').expect(200)).body).toEqual({ 'entity-type': 'documents', entries: [] });
  });

  test.each<[unknown, string]>([
    [null, 'input: Document.GetParent takes document, not nothing'],
    ['', 'input: expected the id, the path or the entity of a document'],
    [[1], 'input: expected the id, the path or the entity of a document'],
    [{}, 'input: is neither a text, a list nor an entity'],
    [{ 'entity-type': 'document' }, 'input: expected the id, the path or the entity of a document'],
    [{ 'entity-type': 'user', id: 'a' }, 'input: entities of type user are not taken'],
    ['blob:default:key', 'input: blobs are not taken by name'],
    ['expr:This', 'input: expressions (expr:) are not served'],
  ])('%j: 400', async (input, message) => {
    expect((await parentOf(input).expect(400)).body.message).toBe(message);
  });

  test('a list where one document is taken: 400; more than 1000: 400', async () => {
    const children = post('/automation/Document.GetChildren').send({ input: ['/', '/'] });
    expect((await children.expect(400)).body.message).toBe(
      'input: Document.GetChildren takes document, not documents',
    );
    const many = await parentOf(Array(1001).fill('/')).expect(400);
    expect(many.body.message).toBe('input: 1001 documents, at most 1000');
  });

  test('a document that is not there is 404, one that may not be read 403', async () => {
    await parentOf('/nosuch').expect(404);
    await parentOf(['/default-domain', '/nosuch']).expect(404);
    await createUser(server, 'stranger');
    const stranger = as(server, 'stranger');
    const response = await stranger
      .post(`${base}/automation/Document.GetParent`)
      .send({ input: '/default-domain' });
    expect(response.status).toBe(403);
    expect(response.body.message).toBe("Privilege 'Read' is not granted to 'stranger'");
  });
});

describe('§9 headers of a call', () => {
  test('X-SvcVoidOperation: true: 204, with the work done', async () => {
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

  test('properties shapes every document of an answer', async () => {
    const { uid } = await newFile('shaped');
    const one = await parentOf(uid).set('properties', 'dublincore');
    expect(Object.keys(one.body.properties).every((xpath) => xpath.startsWith('dc:'))).toBe(true);
    const list = await parentOf([uid, uid]).set('X-NXDocumentProperties', 'common');
    for (const { properties } of list.body.entries) {
      expect(Object.keys(properties)).toEqual(['common:icon', 'common:icon-expanded']);
    }
  });

  test('Accept without JSON is 406 where nothing but JSON is answered, and only there', async () => {
    await parentOf('/default-domain').set('Accept', 'text/html').expect(406);
    await post('/automation/Document.GetBlob').set('Accept', 'text/html').send({ input: '/' }).expect(200);
  });

  test('Repository chooses the repository', async () => {
    await fetchOf('/').set('Repository', 'nosuch').expect(404);
  });
});

describe('§4.7 a call that fails', () => {
  test('leaves nothing behind, though it worked on some documents already', async () => {
    const here = await start();
    const { path } = await createDocument(here, { type: 'Folder' });
    const params = { type: 'File', name: 'half' };
    await call(here.request, 'Document.Create', { input: [path, '/nosuch'], params }).expect(404);
    await here.request.get(`/api/v1/path${path}/half`).expect(404);
    await here.stop();
  });
});
