import { describe, expect, test } from '@jest/globals';
import { createDocument } from '../support/documents.ts';
import { useServer } from '../support/server.ts';

const server = useServer();

const root = '/api/v1/path/';
const folder = (name: string) => ({ 'entity-type': 'document', type: 'Folder', name });

describe('§4 unknown routes', () => {
  test.each([
    '/api',
    '/api/v2/path/',
    '/nosuch',
    '/api/v1',
    '/api/v1/',
    '/api/v1/nosuch',
    '/api/v1/id',
    '/api/v1/id/',
    '/site/api/v1/paths',
    '/favicon.ico',
    '/api/v1/config',
    '/api/v1/path/default-domain/@nosuch',
    '/api/v1/path/@nosuch/more',
    '/api/v1/id/1/@nosuch',
  ])('%s is answered 404', async (address) => {
    const { body } = await server.request.get(address).expect(404);
    expect(body).toMatchObject({ 'entity-type': 'exception', status: 404 });
  });

  test('every verb is answered 404', async () => {
    for (const method of ['post', 'put', 'patch', 'delete', 'options', 'head'] as const) {
      await server.request[method]('/api/v1/nosuch').expect(404);
    }
  });
});

describe('§4 unknown adapters', () => {
  test.each([
    'path/default-domain',
    'path',
    'id/1',
    'path/default-domain/@blob/file:content',
    'id/1/@blob/a:b/0/c',
  ])('below %s every verb is answered 404', async (place) => {
    for (const adapter of ['@nosuch', '@nosuch/more', '@%C3%A9']) {
      for (const method of ['get', 'post', 'put', 'delete'] as const) {
        const { body } = await server.request[method](`/api/v1/${place}/${adapter}`).expect(404);
        expect(body.message).toContain(`There is no resource at /api/v1/${place}/${adapter}.`);
      }
    }
  });

  test('a percent-encoded @ does not begin an adapter', async () => {
    const { body } = await server.request.get('/api/v1/path/default-domain/@blob/%40nosuch').expect(404);
    expect(body.message).toContain('/default-domain has no blob at @nosuch');
  });
});

describe('§4 malformed addresses', () => {
  test.each([
    '/api/v1/path/%',
    '/api/v1/path/a/%zz',
    '/api/v1/path/%E0%A4%A',
    '/api/v1/path/%C3',
    '/api/v1/id/%',
    '/api/v1/config/types/%ff',
    '/api/v1/repo/%/path/',
    '/api/v1/path/a/@blob/%',
  ])('%s is answered 400', async (address) => {
    const { body } = await server.request.get(address).expect(400);
    expect(body).toMatchObject({ 'entity-type': 'exception', status: 400 });
    expect(body.message).toContain('percent-encoded');
  });
});

describe('§4 Accept', () => {
  test.each([
    'text/html',
    'application/xml',
    'image/*',
    'application/json;q=0',
    'text/html, application/xml;q=0.9',
  ])('%s is answered 406', async (accept) => {
    const { body } = await server.request.get(root).set('Accept', accept).expect(406);
    expect(body).toMatchObject({ 'entity-type': 'exception', status: 406 });
    expect(body.message).toContain('application/json');
  });

  test.each([
    'application/json',
    '*/*',
    'application/*',
    'text/html, */*;q=0.1',
    'APPLICATION/JSON',
    'application/json+nxentity',
    'application/json+esentity',
    'application/vnd.api+json',
    'application/json; charset=utf-8',
    'text/html,application/json;q=0.5',
  ])('%s is accepted', async (accept) => {
    const response = await server.request.get(root).set('Accept', accept).expect(200);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8; nuxeo-entity=document');
  });

  test('a write answered 406 has no effect', async () => {
    await server.request.post(root).set('Accept', 'text/html').send(folder('never')).expect(406);
    await server.request.get('/api/v1/path/never').expect(404);
  });

  test('is ignored where the answer has no body: DELETE and void operations', async () => {
    const accepting = { Accept: 'text/html' };
    await server.request
      .post(root)
      .set({ ...accepting, 'X-SvcVoidOperation': 'true' })
      .send(folder('silent'))
      .expect(204);
    const silent = await server.request.delete('/api/v1/path/silent').set(accepting).expect(204);
    expect(silent.text).toBe('');
    await server.request.get('/api/v1/path/silent').expect(404);
  });

  test('is ignored for errors, which are always JSON', async () => {
    const { body } = await server.request
      .delete('/api/v1/path/nowhere')
      .set('Accept', 'text/html')
      .expect(404);
    expect(body).toMatchObject({ 'entity-type': 'exception', status: 404 });
  });

  test('is checked for a GET with X-SvcVoidOperation', async () => {
    await server.request.get(root).set({ Accept: 'text/html', 'X-SvcVoidOperation': 'true' }).expect(406);
  });
});

describe('§4 bodies', () => {
  const post = (type: string, text: string) => server.request.post(root).set('Content-Type', type).send(text);
  const json = (name: string) => JSON.stringify(folder(name));

  test.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'json'])(
    'a body of type %s is answered 415',
    async (type) => {
      const { body } = await post(type, json('x')).expect(415);
      expect(body).toMatchObject({ 'entity-type': 'exception', status: 415 });
      await server.request.put(root).set('Content-Type', type).send(json('x')).expect(415);
    },
  );

  test('a PUT of a form is answered 415', async () => {
    await server.request.put(root).set('Content-Type', 'multipart/form-data').send(json('x')).expect(415);
  });

  test('a body of an unknown charset or encoding is answered 415', async () => {
    await post('application/json; charset=klingon', json('x')).expect(415);
    await post('application/json', json('x')).set('Content-Encoding', 'klingon').expect(415);
  });

  test.each([
    'application/json',
    'application/json; charset=UTF-8',
    'Application/JSON',
    'application/json+nxentity',
    'application/vnd.api+json',
  ])('a body of type %s is accepted', async (type) => {
    await post(type, json('typed')).expect(201);
  });

  test.each(['', '{', '[]', '"text"', 'null', '1', 'undefined', "{'a': 1}", '{"a": 1} {}'])(
    'the body %s is answered 400',
    async (text) => {
      const { body } = await post('application/json', text).expect(400);
      expect(body).toMatchObject({ 'entity-type': 'exception', status: 400 });
    },
  );

  test('a missing body is answered 400, with and without a type', async () => {
    for (const call of [
      server.request.post(root),
      server.request.put(root),
      server.request.post(root).set('Content-Type', 'application/json').unset('Content-Length'),
    ]) {
      expect((await call.expect(400)).body.message).toContain('body');
    }
  });

  test('a body on a GET or DELETE is ignored', async () => {
    const { uid } = await createDocument(server);
    await server.request.get(root).set('Content-Type', 'text/plain').send('hello').expect(200);
    await server.request.delete(`/api/v1/id/${uid}`).set('Content-Type', 'text/plain').send('{').expect(204);
  });
});
