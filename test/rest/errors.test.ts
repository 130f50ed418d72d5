import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDocument } from '../support/factories.ts';
import { start, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.stop());

const root = '/api/v1/path/';
const folder = (name: string) => ({ 'entity-type': 'document', type: 'Folder', name });

describe('§7 the error body', () => {
  test('has entity-type, status, message and requestId, and nothing else', async () => {
    const response = await server.request.get('/api/v1/path/nosuch').expect(404);
    expect(response.body).toEqual({
      'entity-type': 'exception',
      status: 404,
      message: expect.stringContaining('/nosuch'),
      requestId: response.headers['x-request-id'],
    });
    expect(response.headers['content-type']).toMatch(/^application\/json; charset=utf-8/);
  });

  test.each(['text/html', 'text/plain, image/*', 'application/xml;q=0.9'])(
    'is JSON whatever Accept says: %s',
    async (accept) => {
      const response = await server.request.get('/nosuch').set('Accept', accept).expect(404);
      expect(response.headers['content-type']).toMatch(/^application\/json/);
      expect(response.body['entity-type']).toBe('exception');
    },
  );

  test('HEAD has the status and no body', async () => {
    const response = await server.request.head('/api/v1/path/nosuch').expect(404);
    expect(response.text ?? '').toBe('');
  });

  test('the validation report stands in for it on 422', async () => {
    const body = { ...folder('bad'), properties: { 'dc:nature': 'nosuch' } };
    const response = await server.request.post(root).set('Accept', '*/*').send(body).expect(422);
    expect(response.body).toMatchObject({ 'entity-type': 'validation_report', has_error: true, number: 1 });
    expect(response.headers['x-request-id']).toMatch(/\S/);
  });
});

describe('§4 unknown routes', () => {
  test.each([
    ...['/', '/api', '/api/v2/path/', '/nosuch', '/api/v1', '/api/v1/', '/api/v1/nosuch'],
    ...['/api/v1/id', '/api/v1/id/', '/site/api/v1/paths', '/favicon.ico', '/api/v1/config'],
    ...['/api/v1/path/default-domain/@nosuch', '/api/v1/path/@nosuch/more', '/api/v1/id/1/@nosuch'],
  ])('%s: 404', async (address) => {
    const { body } = await server.request.get(address).expect(404);
    expect(body).toMatchObject({ 'entity-type': 'exception', status: 404 });
  });

  test('whatever the verb', async () => {
    for (const method of ['post', 'put', 'patch', 'delete', 'options', 'head'] as const) {
      await server.request[method]('/api/v1/nosuch').expect(404);
    }
  });
});

describe('§4 adapters that there are not', () => {
  test.each([
    'path/default-domain',
    'path',
    'id/1',
    'path/default-domain/@blob/file:content',
    'id/1/@blob/a:b/0/c',
  ])('below %s: 404, whatever the verb', async (place) => {
    for (const [adapter, name] of [
      ['@nosuch', '@nosuch'],
      ['@nosuch/more?type=x', '@nosuch'],
      ['@%C3%A9', '@é'],
    ]) {
      for (const method of ['get', 'post', 'put', 'delete'] as const) {
        const { body } = await server.request[method](`/api/v1/${place}/${adapter}`).expect(404);
        expect(body.message).toBe(`there is no ${name} here`);
      }
    }
  });

  test('an @ that is encoded begins none', async () => {
    const { body } = await server.request.get('/api/v1/path/default-domain/@blob/%40nosuch').expect(404);
    expect(body.message).toContain('/default-domain has no blob at @nosuch');
  });
});

describe('§4 malformed addresses', () => {
  test.each([
    ...['/api/v1/path/%', '/api/v1/path/a/%zz', '/api/v1/path/%E0%A4%A', '/api/v1/path/%C3'],
    ...['/api/v1/id/%', '/api/v1/config/types/%ff', '/api/v1/repo/%/path/', '/api/v1/path/a/@blob/%'],
  ])('%s: 400', async (address) => {
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
  ])('%s: 406', async (accept) => {
    const { body } = await server.request.get(root).set('Accept', accept).expect(406);
    expect(body).toMatchObject({ 'entity-type': 'exception', status: 406 });
    expect(body.message).toContain('application/json');
  });

  test.each([
    ...['application/json', '*/*', 'application/*', 'text/html, */*;q=0.1', 'APPLICATION/JSON'],
    ...['application/json+nxentity', 'application/json+esentity', 'application/vnd.api+json'],
    ...['application/json; charset=utf-8', 'text/html,application/json;q=0.5'],
  ])('%s: 200', async (accept) => {
    const response = await server.request.get(root).set('Accept', accept).expect(200);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8; nuxeo-entity=document');
  });

  test('a refused write writes nothing', async () => {
    await server.request.post(root).set('Accept', 'text/html').send(folder('never')).expect(406);
    await server.request.get('/api/v1/path/never').expect(404);
  });

  test('does not matter where the answer has no body: DELETE, and what is void', async () => {
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

  test('does not matter for errors, which are JSON whatever is asked for', async () => {
    const { body } = await server.request
      .delete('/api/v1/path/nowhere')
      .set('Accept', 'text/html')
      .expect(404);
    expect(body).toMatchObject({ 'entity-type': 'exception', status: 404 });
  });

  test('counts for a GET that asks to be void, which is not', async () => {
    await server.request.get(root).set({ Accept: 'text/html', 'X-SvcVoidOperation': 'true' }).expect(406);
  });
});

describe('§4 bodies', () => {
  const post = (type: string, text: string) => server.request.post(root).set('Content-Type', type).send(text);
  const json = (name: string) => JSON.stringify(folder(name));

  test.each([
    'text/plain',
    'application/xml',
    'multipart/form-data',
    'application/x-www-form-urlencoded',
    'json',
  ])('a body of type %s: 415', async (type) => {
    const { body } = await post(type, json('x')).expect(415);
    expect(body).toMatchObject({ 'entity-type': 'exception', status: 415 });
    await server.request.put(root).set('Content-Type', type).send(json('x')).expect(415);
  });

  test('a body of an unknown charset or coding: 415', async () => {
    await post('application/json; charset=klingon', json('x')).expect(415);
    await post('application/json', json('x')).set('Content-Encoding', 'klingon').expect(415);
  });

  test.each([
    ...['application/json', 'application/json; charset=UTF-8', 'Application/JSON'],
    ...['application/json+nxentity', 'application/vnd.api+json'],
  ])('a body of type %s is read', async (type) => {
    await post(type, json('typed')).expect(201);
  });

  test.each(['', '{', '[]', '"text"', 'null', '1', 'undefined', "{'a': 1}", '{"a": 1} {}'])(
    '%s: 400',
    async (text) => {
      const { body } = await post('application/json', text).expect(400);
      expect(body).toMatchObject({ 'entity-type': 'exception', status: 400 });
    },
  );

  test('no body at all: 400, with and without a type', async () => {
    for (const call of [
      server.request.post(root),
      server.request.put(root),
      server.request.post(root).set('Content-Type', 'application/json').unset('Content-Length'),
    ]) {
      expect((await call.expect(400)).body.message).toContain('body');
    }
  });

  test('a body on a GET or DELETE is nobody’s business', async () => {
    const { uid } = await createDocument(server);
    await server.request.get(root).set('Content-Type', 'text/plain').send('hello').expect(200);
    await server.request.delete(`/api/v1/id/${uid}`).set('Content-Type', 'text/plain').send('{').expect(204);
  });
});

describe('§8 BODY_LIMIT', () => {
  test('beyond: 413; up to it: read', async () => {
    const own = await start({ BODY_LIMIT: '1kb' });
    try {
      const of = (bytes: number) => {
        const body = { ...folder('sized'), ignored: '' };
        return { ...body, ignored: 'x'.repeat(bytes - JSON.stringify(body).length) };
      };
      await own.request.post(root).send(of(1024)).expect(201);
      const { body } = await own.request.post(root).send(of(1025)).expect(413);
      expect(body).toMatchObject({
        ...{ 'entity-type': 'exception', status: 413 },
        message: 'the body is larger than 1024 bytes',
      });
      await own.request.put(root).send(of(2000)).expect(413);
      const large = await own.request.post('/graphql').send({ query: `{ __typename } #${'x'.repeat(2000)}` });
      expect(large.status).toBe(413);
    } finally {
      await own.stop();
    }
  });
});

describe('§7 errors that are not the caller’s business', () => {
  const inner = /postgres|prisma|relation|select|\.ts|node_modules|at \w+ \(/i;

  test('are masked, and logged whole', async () => {
    const own = await start();
    try {
      await own.request.get(root).expect(200);
      await own.database.prisma.$executeRawUnsafe('ALTER TABLE document RENAME TO gone');
      const id = { 'X-Request-Id': 'the-broken-one' };
      for (const call of [
        own.request.get(root),
        own.request.delete('/api/v1/path/x'),
        own.request.post(root).send(folder('x')),
      ]) {
        const response = await call.set(id).expect(500);
        expect(response.body).toEqual({
          'entity-type': 'exception',
          status: 500,
          message: 'Internal Server Error',
          requestId: 'the-broken-one',
        });
        expect(JSON.stringify(response.headers)).not.toMatch(inner);
      }
      const line = own.logged.find(({ msg }) => msg === 'unexpected error');
      expect(line).toMatchObject({ level: 50, requestId: 'the-broken-one' });
      expect(JSON.stringify(line)).toMatch(/document/);
    } finally {
      await own.stop();
    }
  });

  test('a database that is gone: 503 with Retry-After, or masked', async () => {
    const own = await start();
    await own.request.get(root).expect(200);
    await own.database.close();
    try {
      for (const call of [own.request.get(root), own.anonymous.get(root).auth('other', 'user')]) {
        const response = await call;
        expect([500, 503]).toContain(response.status);
        if (response.status === 503) expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
        expect(response.text).not.toMatch(/pglite|prisma|pool|\.ts|node_modules/i);
      }
      await own.request.get('/health/live').expect(200);
      const ready = await own.request.get('/health/ready').expect(503);
      expect(Number(ready.headers['retry-after'])).toBeGreaterThan(0);
    } finally {
      await rm(own.dataDir, { recursive: true });
    }
  });
});

describe('§7 NODE_ENV', () => {
  test('development shows the stack, of errors of both kinds', async () => {
    const own = await start({ NODE_ENV: 'development' });
    try {
      const missing = await own.request.get('/api/v1/path/nosuch').expect(404);
      expect(missing.body.stacktrace).toMatch(/NotFound.*\n +at /);
      await own.database.prisma.$executeRawUnsafe('ALTER TABLE document RENAME TO gone');
      const broken = await own.request.get(root).expect(500);
      expect(broken.body).toMatchObject({ message: 'Internal Server Error', stacktrace: expect.any(String) });
    } finally {
      await own.stop();
    }
  });

  test.each(['production', 'test', 'Development'])('%s does not', async (NODE_ENV) => {
    const own = await start({ NODE_ENV, ADMIN_PASSWORD: 'another' });
    try {
      const { body } = await own.request.get('/api/v1/path/nosuch').expect(404);
      expect(Object.keys(body).sort()).toEqual(['entity-type', 'message', 'requestId', 'status']);
    } finally {
      await own.stop();
    }
  });
});
