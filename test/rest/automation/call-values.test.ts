import { describe, expect, test } from '@jest/globals';
import { useServer } from '../../support/server.ts';
import { as, createUser } from '../../support/users.ts';

const server = useServer({ CONTEXT_PATH: '/nuxeo.x', BODY_LIMIT: '20kb' });
const { request } = server;

const base = '/nuxeo.x/api/v1';
const post = (path: string) => request.post(`${base}${path}`);
const parentOf = (input: unknown) => post('/automation/Document.GetParent').send({ input });

/** Returns a document by REST from this server, which has a context path. */
async function newFile(name: string): Promise<{ uid: string; path: string }> {
  const body = { 'entity-type': 'document', name, type: 'File' };
  return (await post('/path/default-domain/workspaces').send(body).expect(201)).body;
}

describe('§4.7 params', () => {
  const bad: Array<[string, Record<string, unknown>, string]> = [
    ['Document.Fetch', {}, 'value is missing'],
    ['Document.Fetch', { value: null }, 'value is missing'],
    ['Document.Fetch', { value: 1 }, 'value must be the id, path or entity of a document'],
    [
      'Document.Fetch',
      { value: 'expr:1 + 1' },
      'expr:1 + 1: expressions can only contain paths to properties and variables',
    ],
    [
      'Document.AddACE',
      { user: 'u', permission: 'Read', grant: 'expr:x' },
      'grant: expressions are supported only in chains and in the parameters of RunOperation',
    ],
    ['Document.Create', { type: ['File'] }, 'type must be a string'],
    [
      'Document.Create',
      { type: 'File', properties: 'title' },
      'properties: line 1 is not of the form name=value',
    ],
    [
      'Document.Create',
      { type: 'File', properties: [1] },
      'properties must be an object or lines of name=value',
    ],
    ['Document.AddPermission', { permission: 'Read', begin: 'soon' }, 'begin must be a W3C date-time'],
    ['Document.AddPermission', { permission: 'Read', notify: 'yes' }, 'notify must be true or false'],
    ['Document.AddPermission', { permission: 'Read', users: { a: 1 } }, 'users must be a list of strings'],
    ['Services.TagDocument', { tags: '' }, 'tags is missing'],
    ['Log', { message: 'x', level: ' ' }, 'level must be one of debug, info, warn, error'],
    ['Log', { message: 'x', level: 'loud' }, 'level must be one of debug, info, warn, error'],
  ];

  test.each(bad)('of %s are refused as %j with 400: %s', async (operation, params, message) => {
    const response = await post(`/automation/${operation}`)
      .send({ input: '/default-domain', params })
      .expect(400);
    expect(response.body.message).toBe(message);
  });

  test('that an operation does not have are ignored', async () => {
    const params = { value: '/default-domain', other: 1, more: ['a'], code: 'expr:x', odd: { a: 1 } };
    const { body } = await post('/automation/Document.Fetch').send({ params }).expect(200);
    expect(body.path).toBe('/default-domain');
    const { body: root } = await post('/path//@op/Document.GetChild').send({
      params: { name: 'default-domain', documentSchemas: 'dublincore' },
    });
    expect(root.path).toBe('/default-domain');
    const nul = { value: '/default-domain', other: 'a\0' };
    await post('/automation/Document.Fetch').send({ params: nul }).expect(400);
  });

  test('that an operation does not have are refused where the caller asks for it', async () => {
    const strict = (path: string, body: object) => post(path).set('Prefer', 'handling=strict').send(body);
    const params = { value: '/', other: 1, context: {}, empty: '' };
    const { body } = await strict('/automation/Document.Fetch', { params }).expect(400);
    expect(body.message).toBe('Repository.GetDocument has no parameter other');
    const child = { params: { name: 'default-domain', odd: 1 } };
    await strict('/path/@op/Document.GetChild', child).expect(400);
    await strict('/automation/Document.GetChild/@async', { input: '/', ...child }).expect(400);
    const fine = { params: { name: 'default-domain' } };
    await strict('/path/@op/Document.GetChild', fine).expect(200);
  });

  test('that are empty are ignored, whether the operation has them or not', async () => {
    const { body } = await post('/automation/Document.AddPermission')
      .set('enrichers.document', 'acls')
      .send({
        input: '/default-domain/templates',
        params: {
          users: ['members'],
          permission: 'Write',
          username: null,
          email: '',
          begin: '',
          end: null,
          notify: '',
          odd: null,
          list: [],
          text: '',
          context: { currentDocument: '/' },
        },
      })
      .expect(200);
    const [local] = body.contextParameters.acls;
    expect(local).toMatchObject({ name: 'local', aces: [{ username: 'members', begin: null, end: null }] });
    const { body: refused } = await post('/automation/Document.AddACE')
      .send({ input: '/', params: { user: 'members', permission: 'Read', grant: [], overwrite: false } })
      .expect(400);
    expect(refused.message).toBe('grant must be true or false');
    await post('/automation/Log')
      .send({ params: { message: 'x', level: '' } })
      .expect(204);
  });

  test('are refused with all faults in one message', async () => {
    const { body } = await post('/automation/Document.Create')
      .set('Prefer', 'handling=strict')
      .send({ input: '/', params: { nam: 'a' } })
      .expect(400);
    expect(body.message).toBe('type is missing; Document.Create has no parameter nam');
  });

  test('are converted from texts to their types', async () => {
    const params = { user: 'Administrator', permission: 'Read', grant: 'false', overwrite: 'TRUE' };
    await post('/automation/Document.SetACE').send({ input: '/default-domain/sections', params }).expect(200);
    const { body } = await request.get(`${base}/path/default-domain/sections/@acl`).expect(200);
    expect(body.acl[0].ace).toMatchObject([{ username: 'Administrator', granted: false }]);
  });
});

describe('§4.7 input', () => {
  test('can have each of its forms', async () => {
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
    [null, 'input: Document.GetParent accepts document, not nothing.'],
    ['', 'input must be the id, the path or the entity of a document.'],
    [[1], 'input must be the id, the path or the entity of a document.'],
    [{}, 'input must be a string, a list or an entity.'],
    [{ 'entity-type': 'document' }, 'input must be the id, the path or the entity of a document.'],
    [{ 'entity-type': 'user', id: 'a' }, 'input: this operation does not accept entities of type user.'],
    ['blob:default:key', 'input: blobs cannot be referred to by name; send them with the call.'],
    ['expr:This', 'input: expressions (expr:) are not supported.'],
  ])('is refused as %j with 400', async (input, message) => {
    expect((await parentOf(input).expect(400)).body.message).toBe(message);
  });

  test('is 400 with a list for an operation on one document, or with more than 1000', async () => {
    const children = post('/automation/Document.GetChildren').send({ input: ['/', '/'] });
    expect((await children.expect(400)).body.message).toBe(
      'input: Document.GetChildren accepts document, not documents.',
    );
    const many = await parentOf(Array(1001).fill('/')).expect(400);
    expect(many.body.message).toBe('input: 1001 documents exceed the limit of 1000.');
  });

  test('is 404 for an unknown document and 403 for an unreadable one', async () => {
    await parentOf('/nosuch').expect(404);
    await parentOf(['/default-domain', '/nosuch']).expect(404);
    await createUser(server, 'stranger');
    const stranger = as(server, 'stranger');
    const response = await stranger
      .post(`${base}/automation/Document.GetParent`)
      .send({ input: '/default-domain' });
    expect(response.status).toBe(403);
    expect(response.body.message).toBe(
      "Privilege 'Read' is not granted to 'stranger' on the document at /default-domain.",
    );
  });
});
