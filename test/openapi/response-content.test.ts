import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Response } from 'supertest';
import { checker } from '../support/described.ts';
import { createDocument, type DocumentEntity } from '../support/documents.ts';
import { useServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { as, createUser } from '../support/users.ts';

const server = useServer();
let check: ReturnType<typeof checker>;
let file: DocumentEntity;

beforeAll(async () => {
  check = checker((await server.request.get('/api/v1/openapi.json').expect(200)).body);
  await createUser(server, 'bob');
  file = await createDocument(server, {
    name: 'a-file',
    properties: {
      'dc:title': 'A file',
      'dc:nature': 'article',
      'dc:subjects': ['art/cinema'],
      'file:content': { name: 'a.txt', 'mime-type': 'text/plain', content: 'some text' },
    },
  });
});

const everything = {
  properties: '*',
  depth: 'max',
  'enrichers.document':
    'acls,audit,breadcrumb,children,collections,documentURL,favorites,firstAccessibleAncestor,hasContent,' +
    'hasFolderishChild,permissions,publications,subscribedNotifications,subtypes,tags,userVisiblePermissions',
  'enrichers.blob': 'appLinks,preview',
  'enrichers.user': 'userprofile',
  'fetch.document': 'lock,versionLabel,username,creator,dc:creator,dc:contributors,dc:nature,dc:subjects',
  'fetch.acls': 'username,creator,extended',
  'fetch.group': 'memberUsers,memberGroups,parentGroups',
  'fetch.directoryEntry': 'parent',
  'fetch.schema': 'fields',
  'translate.directoryEntry': 'label',
};

/** Returns a URL of the description with values for its parameters. */
const addressOf = (path: string, given: Record<string, string>): string =>
  `/api/v1${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => given[name] ?? `{${name}}`)}`;

const workspaces = 'default-domain/workspaces';

describe('§4 answers match the OpenAPI description, with and without all headers', () => {
  const reads: Array<[string, Record<string, string>]> = [
    ['/path/{path}', { path: workspaces }],
    ['/path/{path}', { path: '' }],
    ['/path/{path}/@children', { path: workspaces }],
    ['/path/{path}/@acl', { path: workspaces }],
    ['/path/{path}/@audit', { path: workspaces }],
    ['/id/{id}/@children', {}],
    ['/id/{id}', {}],
    ['/id/{id}/@audit', {}],
    ['/id/{id}/@blob', {}],
    ['/id/{id}/@blob/{xpath}', { xpath: 'file:content' }],
    ['/me', {}],
    ['/user/search', {}],
    ['/user/{user}', { user: 'Administrator' }],
    ['/user/{user}', { user: 'members' }],
    ['/group/search', {}],
    ['/group/{group}', { group: 'administrators' }],
    ['/group/{group}/@users', { group: 'administrators' }],
    ['/group/{group}/@groups', { group: 'administrators' }],
    ['/directory', {}],
    ['/directory/{directory}', { directory: 'l10nsubjects' }],
    ['/directory/{directory}', { directory: 'nosuch' }],
    ['/directory/{directory}/{entry}', { directory: 'l10nsubjects', entry: 'cinema' }],
    ['/config/facets', {}],
    ['/config/facets/{name}', { name: 'Folderish' }],
    ['/config/facets/{name}', { name: 'nosuch' }],
    ['/config/schemas', {}],
    ['/config/schemas/{name}', { name: 'dublincore' }],
    ['/config/types', {}],
    ['/config/types/{name}', { name: 'File' }],
    ['/token', {}],
    ['/oauth2/token/client', {}],
    ['/oauth2/provider', {}],
    ['/oauth2/client', {}],
    ['/oauth2/token', {}],
    ['/oauth2/token/provider', {}],
    ['/search/lang/{language}/execute', { language: 'NXQL' }],
    ['/upload/handlers', {}],
    ['/upload/handlers/{name}', { name: 'default' }],
    ['/automation', {}],
    ['/automation/{operation}', { operation: 'Document.Create' }],
    ['/automation/files/{id}', {}],
  ];
  const address = (path: string, given: Record<string, string>) =>
    addressOf(path, { id: file.uid, ...given });

  test.each(reads)('for GET %s %j', async (path, given) => {
    const plain = await server.request.get(address(path, given));
    expect(plain.status).toBeLessThan(300);
    const full = await server.request.get(address(path, given)).set(everything);
    expect(full.status).toBe(plain.status);
  });

  test('for a document that is not stored', async () => {
    const path = '/id/{id}/@emptyWithDefault';
    const made = await server.request.get(address(path, {})).query({ type: 'File' }).set(everything);
    expect(made.status).toBe(200);
  });

  test('for CSV, ranges and unmodified resources', async () => {
    const csv = await server.request.get(address('/id/{id}/@audit', {})).set('Accept', 'text/csv');
    expect(csv.type).toBe('text/csv');
    const range = await server.request.get(address('/id/{id}/@blob', {})).set('Range', 'bytes=0-3');
    expect(range.status).toBe(206);
    const { headers } = await server.request.get(address('/id/{id}', {}));
    const again = await server.request.get(address('/id/{id}', {})).set('If-None-Match', headers.etag ?? '');
    expect(again.status).toBe(304);
  });
});

describe('§4 bodies and answers of writes match the OpenAPI description', () => {
  type Method = 'post' | 'put' | 'delete';
  const write = async (
    [method, path]: readonly [Method, string],
    given: Record<string, string>,
    { body, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
  ): Promise<Response> => {
    if (body) expect(check.body(method, path, body)).toBeUndefined();
    const response = await server.request[method](addressOf(path, given)).set(headers).send(body);
    return response;
  };

  const writes = async (status: number, ...asked: Parameters<typeof write>): Promise<Response> => {
    const response = await write(...asked);
    expect([...asked[0], response.status]).toEqual([...asked[0], status]);
    return response;
  };

  test('for documents', async () => {
    const entity = { 'entity-type': 'document', name: 'made', type: 'Note' };
    const made = await writes(201, ['post', '/path/{path}'], { path: workspaces }, { body: entity });
    const { uid } = made.body as DocumentEntity;
    const changed = await writes(
      200,
      ['put', '/id/{id}'],
      { id: uid },
      { body: made.body, headers: { 'X-Versioning-Option': 'MINOR', ...everything } },
    );
    expect(changed.body).toMatchObject({ isVersion: true, isLatestVersion: true });
    const silent = { body: { 'entity-type': 'document' }, headers: { 'X-SvcVoidOperation': 'true' } };
    await writes(204, ['put', '/id/{id}'], { id: uid }, silent);
    await writes(204, ['delete', '/id/{id}'], { id: uid });
  });

  test('for files of documents', async () => {
    const path = '/id/{id}/@blob';
    const put = await server.request
      .put(addressOf(path, { id: file.uid }))
      .attach('file', Buffer.from('new'), 'new.txt');
    expect(put.status).toBe(200);
  });

  test('for users, groups and memberships', async () => {
    const user = { 'entity-type': 'user', properties: { username: 'eve', password: 'secret' } };
    const made = await writes(201, ['post', '/user'], {}, { body: user });
    await writes(200, ['put', '/user/{user}'], { user: 'eve' }, { body: made.body });
    const group = { 'entity-type': 'group', id: 'readers', memberUsers: ['eve'] };
    const readers = await writes(201, ['post', '/group'], {}, { body: group });
    await writes(200, ['put', '/group/{group}'], { group: 'readers' }, { body: readers.body });
    await writes(200, ['put', '/user/{user}'], { user: 'readers' }, { body: readers.body });
    await writes(201, ['post', '/user/{user}/group/{group}'], { user: 'bob', group: 'readers' });
    await writes(201, ['post', '/group/{group}/user/{user}'], { user: 'bob', group: 'readers' });
    await writes(200, ['delete', '/group/{group}/user/{user}'], { user: 'bob', group: 'readers' });
    await writes(204, ['delete', '/user/{user}'], { user: 'readers' });
  });

  test('for directory entries', async () => {
    const entry = { 'entity-type': 'directoryEntry', directoryName: 'nature', properties: { id: 'new' } };
    const create = ['post', '/directory/{directory}'] as const;
    const made = await writes(201, create, { directory: 'nature' }, { body: entry });
    const named = { directory: 'nature', entry: 'new' };
    await writes(200, ['put', '/directory/{directory}/{entry}'], named, { body: made.body });
    await writes(500, create, { directory: 'nature' }, { body: entry });
    await writes(204, ['delete', '/directory/{directory}/{entry}'], named);
  });

  test('for uploads', async () => {
    await writes(200, ['post', '/upload/new/{handler}'], { handler: 'default' });
    const begun = await writes(201, ['post', '/upload'], {});
    const batch = { batch: begun.body.batchId as string };
    const read = async (path: string, status: number) => {
      const response = await server.request.get(addressOf(path, { ...batch, file: '0' }));
      expect(response.status).toBe(status);
    };
    await read('/upload/{batch}', 204);
    const path = '/upload/{batch}/{file}';
    for (const [index, status] of [
      [0, 202],
      [1, 201],
    ]) {
      const chunk = server.request
        .post(addressOf(path, { ...batch, file: '0' }))
        .set({ 'X-Upload-Type': 'chunked', 'X-Upload-Chunk-Count': '2', 'X-File-Size': '2' })
        .set('X-Upload-Chunk-Index', String(index));
      const response = await chunk.type('application/octet-stream').send(Buffer.from('x'));
      expect(response.status).toBe(status);
      await read(path, status === 201 ? 200 : 202);
    }
    await read('/upload/{batch}', 200);
    await read('/upload/{batch}/info', 200);
    await writes(204, ['delete', path], { ...batch, file: '0' });
    await writes(204, ['delete', '/upload/{batch}'], batch);
  });

  test('for tokens and log-ins', async () => {
    await server.request.post('/api/v1/token?application=a&deviceId=d&permission=rw').expect(201);
    await writes(200, ['post', '/automation/login'], {});
  });

  test.each<[string, object, object]>([
    ['Document.GetChildren', { input: `/${workspaces}` }, { 'entity-type': 'documents' }],
    ['Repository.GetDocument', { params: { value: '/' } }, { type: 'Root' }],
    ['Document.AddToFavorites', { input: [`/${workspaces}/a-file`] }, { 'entity-type': 'documents' }],
    ['Favorite.GetDocuments', {}, { 'entity-type': 'documents', isPaginable: true }],
    ['Tag.Suggestion', { params: { searchTerm: 'a' } }, []],
    ['User.Get', {}, { 'entity-type': 'user' }],
    ['Audit.Query', { params: { eventId: ['documentCreated'] } }, { 'entity-type': 'logEntries' }],
    ['Document.Subscribe', { input: `/${workspaces}` }, {}],
  ])('for %s', async (name, body, expected) => {
    const path = `/automation/${name}`;
    const plain = await write(['post', path], {}, { body });
    const full = await write(['post', path], {}, { body, headers: everything });
    for (const response of [plain, full]) {
      expect(response.status).toBe(200);
      expect(response.body).toMatchObject(expected);
    }
  });

  test('for asynchronous operations', async () => {
    const path = '/automation/{operation}';
    const given = { operation: 'Document.GetChildren' };
    const body = { input: `/${workspaces}` };
    const begun = await write(['post', `${path}/@async`], given, { body });
    expect(begun.status).toBe(202);
    const at = String(begun.headers.location).replace(/^.*(?=\/api\/v1)/, '');
    await until(async () => (await server.request.get(at)).status !== 200);
    const done = await server.request.get(at.replace(/\/status$/, ''));
    expect(done.body).toMatchObject({ 'entity-type': 'documents' });
  });
});

describe('§7 errors match the OpenAPI description', () => {
  const document = { 'entity-type': 'document', properties: {} };
  const broken = { ...document, properties: { 'dc:nature': 'nosuch' } };
  const at = () => addressOf('/id/{id}', { id: file.uid });

  test.each<[number, string, string, () => PromiseLike<Response>]>([
    [400, 'get', '/id/{id}', () => server.request.get(at()).set('depth', 'nosuch')],
    [400, 'put', '/id/{id}', () => server.request.put(at()).send({})],
    [401, 'get', '/id/{id}', () => server.anonymous.get(at())],
    [403, 'get', '/id/{id}', () => as(server, 'bob').get(at())],
    [404, 'get', '/id/{id}', () => server.request.get('/api/v1/id/nosuch')],
    [406, 'get', '/id/{id}', () => server.request.get(at()).set('Accept', 'text/html')],
    [409, 'put', '/id/{id}', () => server.request.put(at()).send({ ...document, changeToken: '0-0' })],
    [412, 'put', '/id/{id}', () => server.request.put(at()).set('If-Match', '"0-0"').send(document)],
    [415, 'put', '/id/{id}', () => server.request.put(at()).type('text/plain').send('x')],
    [422, 'put', '/id/{id}', () => server.request.put(at()).send(broken)],
    [409, 'post', '/user', () => server.request.post('/api/v1/user').send(bob)],
  ])('for %i of %s %s', async (status, _method, _path, ask) => {
    const response = await ask();
    expect(response.status).toBe(status);
  });
  const bob = { 'entity-type': 'user', properties: { username: 'bob' } };

  test('but a body of another shape does not', async () => {
    expect(check.body('put', '/id/{id}', { 'entity-type': 'user' })).toEqual([expect.anything()]);
    const answer = await server.request.get(at());
    const { path: _, ...without } = answer.body;
    const more = { ...answer.body, more: 1 };
    const bodies = [without, more, { ...answer.body, isTrashed: 'no' }].map((body) => ({ body }));
    for (const other of [...bodies, { status: 418 }, { type: 'text/html' }, { headers: { 'x-other': '1' } }])
      expect(check.answer('get', '/id/{id}', { ...pick(answer), ...other })).toBeDefined();
    expect(check.answer('get', '/id/{id}', pick(answer))).toBeUndefined();
  });
  const pick = ({ status, type, body, headers }: Response) => ({ status, type, body, headers });
});
