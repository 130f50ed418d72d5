import { describe, expect, test } from '@jest/globals';
import { startServer, useServer } from '../support/server.ts';

const server = useServer();

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
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8; nuxeo-entity=exception');
  });

  test('names the entity type of a validation report and of a refused credential', async () => {
    const properties = { 'dc:nature': 'nix' };
    const report = await server.request
      .post(root)
      .send({ ...folder('report'), properties })
      .expect(422);
    expect(report.headers['content-type']).toBe(
      'application/json; charset=utf-8; nuxeo-entity=validation_report',
    );
    const refused = await server.anonymous.get(root).expect(401);
    expect(refused.headers['content-type']).toContain('; nuxeo-entity=exception');
  });

  test('names an address that no resource has', async () => {
    const message = async (address: string) => (await server.request.get(address).expect(404)).body.message;
    expect(await message('/api/v1/zzz')).toBe('There is no resource at /api/v1/zzz.');
    expect(await message('/api/v1/zzz/a/b')).toBe('There is no resource at /api/v1/zzz/a/b.');
    expect(await message('/api/v1/repo/default/zzz')).toBe(
      'There is no resource at /api/v1/repo/default/zzz.',
    );
    expect(await message('/api/v1/config/zzz')).toBe('There is no resource at /api/v1/config/zzz.');
  });

  test.each(['text/html', 'text/plain, image/*', 'application/xml;q=0.9'])(
    'is JSON even for Accept: %s',
    async (accept) => {
      const response = await server.request.get('/api/v1/nosuch').set('Accept', accept).expect(404);
      expect(response.headers['content-type']).toMatch(/^application\/json/);
      expect(response.body['entity-type']).toBe('exception');
    },
  );

  test('says of a form with too many parameters that it has too many', async () => {
    const form = server.anonymous.post('/oauth2/token').type('form');
    const { body } = await form.send('a=1&'.repeat(60)).expect(413);
    expect(body.message).toBe('The body has too many parameters.');
  });

  test('its message names 100 faults of a body, and counts the others', async () => {
    const memberUsers = Array.from({ length: 2_000 }, (_, nth) => `no-such-user-${nth}`);
    const body = { 'entity-type': 'group', id: 'g-lost', memberUsers };
    const { message } = (await server.request.post('/api/v1/group').send(body).expect(500)).body;
    expect(message).toMatch(/^.*no-such-user-0, no-such-user-1, .*, no-such-user-99, and 1900 more$/);
  });

  test('a validation report takes its place with 422', async () => {
    const body = { ...folder('bad'), properties: { 'dc:nature': 'nosuch' } };
    const response = await server.request.post(root).set('Accept', '*/*').send(body).expect(422);
    expect(response.body).toMatchObject({ 'entity-type': 'validation_report', has_error: true, number: 1 });
    expect(response.headers['x-request-id']).toMatch(/\S/);
  });
});

describe('§8 BODY_LIMIT', () => {
  test('a body above the limit is answered 413', async () => {
    await using own = await startServer({ BODY_LIMIT: '1kb' });
    const of = (bytes: number) => {
      const body = { ...folder('sized'), ignored: '' };
      return { ...body, ignored: 'x'.repeat(bytes - JSON.stringify(body).length) };
    };
    await own.request.post(root).send(of(1024)).expect(201);
    const { body } = await own.request.post(root).send(of(1025)).expect(413);
    expect(body).toMatchObject({
      'entity-type': 'exception',
      status: 413,
      message: 'The body is larger than 1024 bytes.',
    });
    await own.request.put(root).send(of(2000)).expect(413);
    const large = await own.request.post('/graphql').send({ query: `{ __typename } #${'x'.repeat(2000)}` });
    expect(large.status).toBe(413);
  });
});

describe('§7 internal errors', () => {
  const inner = /postgres|prisma|relation|select|\.ts|node_modules|at \w+ \(/i;

  test('are answered without details and logged in full', async () => {
    await using own = await startServer();
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
  });

  test('a closed database is answered 500 without details', async () => {
    await using own = await startServer();
    await own.request.get(root).expect(200);
    await own.database.close();
    for (const call of [own.request.get(root), own.anonymous.get(root).auth('other', 'user')]) {
      const response = await call.expect(500);
      expect(response.text).not.toMatch(/pglite|prisma|pool|\.ts|node_modules/i);
    }
    await own.request.get('/health/live').expect(200);
    const ready = await own.request.get('/health/ready').expect(503);
    expect(Number(ready.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('§7 NODE_ENV', () => {
  test('development adds the stack to expected and internal errors', async () => {
    await using own = await startServer({ NODE_ENV: 'development' });
    const missing = await own.request.get('/api/v1/path/nosuch').expect(404);
    expect(missing.body.stacktrace).toMatch(/NotFound.*\n +at /);
    expect(missing.body.exception).toEqual({
      className: 'DocumentNotFound',
      message: 'There is no document at /nosuch.',
    });
    const { body } = await own.request.put(root).type('json').send('{').expect(400);
    expect(body.exception).toEqual({
      className: 'Invalid',
      message: body.message,
      cause: { className: 'SyntaxError', message: expect.stringMatching(/JSON/) },
    });
    await own.database.prisma.$executeRawUnsafe('ALTER TABLE document RENAME TO gone');
    const broken = await own.request.get(root).expect(500);
    expect(broken.body).toMatchObject({
      message: 'Internal Server Error',
      stacktrace: expect.any(String),
      exception: { className: expect.stringMatching(/Error$/), message: expect.stringContaining('document') },
    });
  });

  test.each(['production', 'test', 'Development'])('%s does not add the stack', async (NODE_ENV) => {
    await using own = await startServer({ NODE_ENV, ADMIN_PASSWORD: 'another' });
    const { body } = await own.request.get('/api/v1/path/nosuch').expect(404);
    expect(Object.keys(body).sort()).toEqual(['entity-type', 'message', 'requestId', 'status']);
  });
});
