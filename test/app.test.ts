import { describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import supertest from 'supertest';
import { openServices } from '../src/open-services.ts';
import { startServer, type TestServer, useServer } from './support/server.ts';

/** Runs with a server with these settings, which is stopped afterwards. */
async function withServer(
  settings: Record<string, string>,
  work: (own: TestServer) => Promise<void>,
): Promise<void> {
  await using own = await startServer(settings);
  await work(own);
}

const server = useServer();

describe('health', () => {
  test.each(['/health/live', '/health/ready', '/runningstatus'])(
    '%s answers without credentials',
    async (address) => {
      const { body } = await server.anonymous.get(address).expect(200);
      expect(body).toEqual({ status: 'up' });
      await server.anonymous.head(address).expect(200);
    },
  );

  test('a stopping server is alive, but not ready', async () => {
    const { app, close } = await openServices(server.services.config, server.database, {
      log: pino({ level: 'silent' }),
      isReady: () => false,
    });
    await supertest(app).get('/health/live').expect(200);
    const { headers, body } = await supertest(app).get('/health/ready').expect(503);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(body).toMatchObject({ 'entity-type': 'exception', status: 503 });
    await supertest(app).get('/runningstatus').expect(503);
    await close();
  });
});

describe('§4 Server-Timing', () => {
  const format = /^total;dur=\d+\.\d, graphql;dur=\d+\.\d, sql;dur=\d+\.\d;desc="\d+"$/;

  test.each([
    ['/api/v1/path/', 200],
    ['/api/v1/path/nosuch', 404],
    ['/api/v1/config/types/nosuch', 204],
    ['/api/v1/nosuch', 404],
    ['/nosuch', 404],
    ['/health/live', 200],
  ])('is sent with the answer of %s', async (address, status) => {
    const { headers } = await server.request.get(address).expect(status);
    expect(headers['server-timing']).toMatch(format);
  });

  test('is sent with a 401 and with a write', async () => {
    expect((await server.anonymous.get('/api/v1/path/').expect(401)).headers['server-timing']).toMatch(
      format,
    );
    const body = { 'entity-type': 'document', type: 'Folder', name: 'timed' };
    const { headers } = await server.request.post('/api/v1/path/').send(body).expect(201);
    expect(headers['server-timing']).toMatch(format);
  });

  test('contains parts within the total, and the number of statements', async () => {
    const { headers } = await server.request.get('/api/v1/path/default-domain/@children').expect(200);
    const [total = 0, graphql = 0, sql = 0] = [
      ...String(headers['server-timing']).matchAll(/dur=([\d.]+)/g),
    ].map(([, number]) => Number(number));
    expect(graphql).toBeGreaterThan(0);
    expect(total).toBeGreaterThanOrEqual(graphql);
    expect(total).toBeGreaterThanOrEqual(sql);
  });

  test('is sent only to administrators in production', async () => {
    await withServer({ NODE_ENV: 'production', ADMIN_PASSWORD: 'another' }, async (own) => {
      // The template's administrator keeps the password it was created with.
      expect((await own.request.get('/api/v1/path/').expect(200)).headers['server-timing']).toMatch(format);
      for (const call of [
        own.anonymous.get('/api/v1/path/').expect(401),
        own.anonymous.get('/api/v1/path/').auth('Administrator', 'wrong').expect(401),
        own.anonymous.get('/health/live').expect(200),
        own.anonymous.get('/nosuch').expect(404),
      ]) {
        expect((await call).headers).not.toHaveProperty('server-timing');
      }
    });
  });
});

describe('the base of all URLs', () => {
  test.each(['/api/v1', '/site/api/v1', '/api/v1/repo/default', '/site/api/v1/repo/default'])(
    'can be %s',
    async (base) => {
      const { body } = await server.request.get(`${base}/path/default-domain`).expect(200);
      expect(body.path).toBe('/default-domain');
    },
  );

  test('starts with CONTEXT_PATH only, when it is set', async () => {
    await withServer({ CONTEXT_PATH: '/nuxeo' }, async (own) => {
      for (const base of ['/nuxeo/api/v1', '/nuxeo/site/api/v1', '/nuxeo/api/v1/repo/default']) {
        await own.request.get(`${base}/path/`).expect(200);
      }
      await own.request.get('/api/v1/path/').expect(404);
      await own.request.get('/nuxeo/path/').expect(404);
      await own.request.get('/nuxeo').set('Accept', 'application/json').expect(404);
      await own.anonymous.get('/health/ready').expect(200);
    });
  });

  const blob = { content: 'bytes', name: 'b.txt' };
  const newFile = {
    'entity-type': 'document',
    type: 'File',
    name: 'f',
    properties: { 'file:content': blob },
  };
  const dataOf = (body: { properties: Record<string, { data: string }> }) =>
    body.properties['file:content']?.data;

  test('is preceded in links by the host of the request', async () => {
    const { body } = await server.request
      .post('/api/v1/path/')
      .set('Host', 'quire.example.org:81')
      .send(newFile)
      .expect(201);
    expect(dataOf(body)).toMatch(
      new RegExp(`^http://quire\\.example\\.org:81/api/v1/repo/default/id/${body.uid}/@blob/file:content`),
    );
    const again = await server.request.get(`/site/api/v1/id/${body.uid}`).set('Host', 'other').expect(200);
    expect(dataOf(again.body)).toMatch(/^http:\/\/other\/api\/v1\/repo\//);
  });

  test('is preceded in links by PUBLIC_URL and CONTEXT_PATH when they are set', async () => {
    await withServer(
      { PUBLIC_URL: 'https://docs.example.org/', ADMIN_PASSWORD: 'another', CONTEXT_PATH: '/nuxeo' },
      async (own) => {
        const { body } = await own.request.post('/nuxeo/api/v1/path/').send(newFile).expect(201);
        expect(dataOf(body)).toMatch(/^https:\/\/docs\.example\.org\/nuxeo\/api\/v1\/repo\/default\/id\//);
      },
    );
  });
});

describe('the headers of an answer', () => {
  test('do not reveal the software of the server', async () => {
    const { headers } = await server.request.get('/api/v1/path/').expect(200);
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('server');
  });
});
