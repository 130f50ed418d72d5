import { describe, expect, test } from '@jest/globals';
import { createDocument } from '../../../support/documents.ts';
import { startServer, type TestServer, useServer } from '../../../support/server.ts';

const server = useServer({ REPOSITORIES: 'default,other' });

const domain = '/path/default-domain';
const repositoryOf = async (call: ReturnType<TestServer['request']['get']>): Promise<string> =>
  (await call.expect(200)).body.repository;

describe('§9 Repository', () => {
  test('the first of REPOSITORIES is the default', async () => {
    expect(await repositoryOf(server.request.get(`/api/v1${domain}`))).toBe('default');
  });

  test.each(['Repository', 'repository', 'X-NXRepository', 'x-nxrepository'])(
    'the header %s selects the repository',
    async (name) => {
      expect(await repositoryOf(server.request.get(`/api/v1${domain}`).set(name, 'other'))).toBe('other');
    },
  );

  test.each(['Repository', 'repository', 'X-NXRepository', 'nxrepository'])(
    'the query parameter %s selects the repository',
    async (name) => {
      expect(await repositoryOf(server.request.get(`/api/v1${domain}`).query({ [name]: 'other' }))).toBe(
        'other',
      );
    },
  );

  test.each(['/api/v1/repo/other', '/site/api/v1/repo/other', '/api/v1/repo/%6Fther'])(
    'the URL %s selects the repository',
    async (base) => {
      expect(await repositoryOf(server.request.get(base + domain))).toBe('other');
    },
  );

  test('the URL overrides the header, and the header the query parameter', async () => {
    const inAll = server.request
      .get(`/api/v1/repo/other${domain}`)
      .set('Repository', 'default')
      .query({ nxrepository: 'nosuch' });
    expect(await repositoryOf(inAll)).toBe('other');
    const inTwo = server.request
      .get(`/api/v1${domain}`)
      .set('X-NXRepository', 'other')
      .query({ repository: 'default' });
    expect(await repositoryOf(inTwo)).toBe('other');
  });

  test('the same value may be repeated', async () => {
    const call = server.request.get(`/api/v1${domain}`).set('Repository', 'other, other');
    expect(await repositoryOf(call)).toBe('other');
  });

  test('each repository has its own tree', async () => {
    const ids = await Promise.all(
      ['default', 'other'].map(
        async (name) => (await server.request.get(`/api/v1/repo/${name}${domain}`)).body.uid,
      ),
    );
    expect(new Set(ids).size).toBe(2);

    const here = await createDocument(server, { parent: '/', name: 'only-here' });
    await server.request.get('/api/v1/path/only-here').expect(200);
    await server.request.get('/api/v1/path/only-here').set('Repository', 'other').expect(404);
    await server.request.get(`/api/v1/repo/other/id/${here.uid}`).expect(404);
    await server.request.delete('/api/v1/repo/other/path/only-here').expect(404);
    await server.request.get(`/api/v1/id/${here.uid}`).expect(200);
  });

  test('a write changes the selected repository', async () => {
    const body = { 'entity-type': 'document', type: 'Folder', name: 'there' };
    const made = await server.request.post('/api/v1/path/').set('Repository', 'other').send(body).expect(201);
    expect(made.body).toMatchObject({ repository: 'other', path: '/there' });
    await server.request.get('/api/v1/path/there').expect(404);
    await server.request
      .put(`/api/v1/repo/other/id/${made.body.uid}`)
      .send({ 'entity-type': 'document', properties: { 'dc:title': 'There' } })
      .expect(200);
    await server.request.delete('/api/v1/repo/other/path/there').expect(204);
    await server.request.get('/api/v1/repo/other/path/there').expect(404);
  });
});

describe('§9 an unknown repository', () => {
  const unknown = [
    ['in the address', () => server.request.get(`/api/v1/repo/nosuch${domain}`)],
    ['in the header', () => server.request.get(`/api/v1${domain}`).set('Repository', 'nosuch')],
    ['in the query', () => server.request.get(`/api/v1${domain}`).query({ nxrepository: 'nosuch' })],
    ['in another case', () => server.request.get(`/api/v1${domain}`).set('Repository', 'Default')],
    ['two at once', () => server.request.get(`/api/v1${domain}`).set('Repository', 'default,other')],
    ['of no name', () => server.request.get(`/api/v1${domain}`).query({ repository: '' })],
    ['above introspection', () => server.request.get('/api/v1/repo/nosuch/config/facets')],
    // A missing facet answers 204 there, but a missing repository answers 404.
    ['above a missing facet', () => server.request.get('/api/v1/repo/nosuch/config/facets/nosuch')],
    [
      'above a facet',
      () => server.request.get('/api/v1/config/facets/Folderish').set('Repository', 'nosuch'),
    ],
    ['with a write', () => server.request.delete(`/api/v1/repo/nosuch${domain}`)],
  ] as const;

  test.each(unknown)('answers 404 and names it for %s', async (_, call) => {
    const { body } = await call().expect(404);
    expect(body).toMatchObject({ 'entity-type': 'exception', status: 404 });
    expect(body.message).toContain('repository');
  });

  test('answers 404 when the URL ends after it', async () => {
    await server.request.get('/api/v1/repo/other').expect(404);
    await server.request.get('/api/v1/repo').expect(404);
  });
});

describe('§9 REPOSITORIES', () => {
  test('the first name is the default repository', async () => {
    await using own = await startServer({ REPOSITORIES: 'archive,default' });
    expect(await repositoryOf(own.request.get(`/api/v1${domain}`))).toBe('archive');
    await own.request.get(`/api/v1/repo/default${domain}`).expect(200);
  });
});
