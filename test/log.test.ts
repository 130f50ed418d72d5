import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createLogger } from '../src/log.ts';
import { type TestServer, useServer } from './support/server.ts';

const server = useServer();

/** Returns the log lines of a request by its id. */
const linesOf = (id: string) =>
  server.logged.filter((line) => JSON.stringify(line).includes(JSON.stringify(id).slice(1, -1)));

let count = 0;
const newId = (): string => {
  count += 1;
  return `log-test-${count}`;
};

interface Line {
  level: number;
  req: Record<string, unknown>;
  res: Record<string, unknown>;
}

/** Returns the only log line of a request. */
async function logged(call: ReturnType<TestServer['request']['get']>): Promise<Line> {
  const id = newId();
  await call.set('X-Request-Id', id);
  const [line, ...others] = linesOf(id);
  expect(others).toEqual([]);
  return line as unknown as Line;
}

describe('the log', () => {
  test('has one line per request: id, method, URL, status, time', async () => {
    const line = await logged(server.request.get('/api/v1/path/default-domain?properties=uid'));
    expect(line).toMatchObject({
      level: 30,
      req: {
        id: expect.stringContaining('log-test'),
        method: 'GET',
        url: '/api/v1/path/default-domain?properties=uid',
      },
      res: { statusCode: 200 },
      responseTime: expect.any(Number),
    });
    expect(Object.keys(line.req).sort()).toEqual(['id', 'method', 'remoteAddress', 'url']);
    expect(Object.keys(line.res)).toEqual(['statusCode']);
  });

  test('has no further details for an error of the client', async () => {
    const line = await logged(server.request.get('/api/v1/path/nosuch'));
    expect(line).toMatchObject({ level: 30, res: { statusCode: 404 } });
  });

  test.each([
    ...[
      'token',
      'access_token',
      'TOKEN',
      'client_secret',
      'code',
      'code_verifier',
      'assertion',
      'refresh_token',
      'password',
    ].map((name) => [`?a=1&${name}=hunter2&b=2`, `?a=1&${name}=…&b=2`] as const),
    ['?token=hunter2&token=hunter2', '?token=…&token=…'],
    ['?%74oken=hunter2&b=2', '?%74oken=…&b=2'],
    ['?a&access%5Ftoken=hunter2', '?a&access%5Ftoken=…'],
    ['?token=', '?token=…'],
    ['?changeToken=0-1', '?changeToken=0-1'],
  ])('contains the query %s as %s', async (query, written) => {
    const line = await logged(server.request.get(`/api/v1/path/${query}`));
    expect(line.req.url).toBe(`/api/v1/path/${written}`);
  });

  test.each([
    ['/token/hunter2', '/token/…'],
    ['/token/hunter2/?token=hunter2&b=2', '/token/…?token=…&b=2'],
    ['/repo/default/token/hunter2', '/repo/default/token/…'],
    ['/directory/authTokens/hunter2', '/directory/authTokens/…'],
    ['/directory/auth%54okens/hunter2?b=2', '/directory/auth%54okens/…?b=2'],
    ['/repo/default/directory/authTokens/hunter2', '/repo/default/directory/authTokens/…'],
    ['/directory/country/fr', '/directory/country/fr'],
    ['/token?application=a', '/token?application=a'],
    ['/path/token/note', '/path/token/note'],
    ['/oauth2/token/client/c/user/u', '/oauth2/token/client/c/user/u'],
  ])('contains the address %s as %s', async (address, written) => {
    for (const base of ['/api/v1', '/site/api/v1']) {
      const line = await logged(server.request.delete(`${base}${address}`));
      expect(line.req.url).toBe(`${base}${written}`);
    }
  });

  test('never contains credentials from a URL', async () => {
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[a-z0-9]{8,20}$/), async (value) => {
        const line = await logged(
          server.anonymous.get(`/nosuch?x=1&token=${encodeURIComponent(`${value}&#?`)}`),
        );
        expect(JSON.stringify(line)).not.toContain(value);
      }),
      { numRuns: 20 },
    );
  });

  test('never contains headers, bodies and passwords', async () => {
    const password = 'pass-WORD-1234';
    await server.anonymous.get('/api/v1/path/').auth('Administrator', password).expect(401);
    const bearer = {
      Authorization: 'Bearer bearer-TOKEN-1234',
      'X-Authentication-Token': 'login-TOKEN-1234',
    };
    await server.anonymous.get('/api/v1/path/').set(bearer).expect(401);
    const body = {
      'entity-type': 'document',
      type: 'Note',
      name: 'n',
      properties: { 'note:note': 'body-TEXT-1234' },
    };
    await server.request.post('/api/v1/path/').set('Cookie', 'cookie-TEXT-1234').send(body).expect(201);
    await server.request
      .post('/api/v1/path/')
      .send({ ...body, type: 'body-TEXT-1234' })
      .expect(400);
    const encoded = [password, 'Administrator'].map((text) =>
      Buffer.from(`Administrator:${text}`).toString('base64'),
    );
    for (const secret of [password, 'TOKEN-1234', 'TEXT-1234', ...encoded]) {
      expect(JSON.stringify(server.logged)).not.toContain(secret);
    }
  });

  test('has the level of the settings', () => {
    expect(createLogger('warn').isLevelEnabled('info')).toBe(false);
    expect(createLogger('silent').isLevelEnabled('fatal')).toBe(false);
    expect(createLogger('debug').isLevelEnabled('debug')).toBe(true);
  });
});

describe('§4 X-Request-Id', () => {
  test.each([
    'a',
    'req-1',
    '0/1:2@host',
    'A+b=c_d.e',
    'x'.repeat(128),
    '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
  ])('is echoed when valid: %s', async (id) => {
    const response = await server.request.get('/api/v1/path/nosuch').set('X-Request-Id', id).expect(404);
    expect(response.headers['x-request-id']).toBe(id);
    expect(response.body.requestId).toBe(id);
  });

  test.each(['', 'two words', 'x'.repeat(129), '<script>', 'a"b', "a'b", '{}', 'a,b', 'ü', 'a;b', '$(id)'])(
    'is replaced when invalid: %s',
    async (id) => {
      const response = await server.request.get('/api/v1/path/').set('X-Request-Id', id).expect(200);
      expect(response.headers['x-request-id']).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    },
  );

  test('is unique for each request', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await server.anonymous.get('/health/live')).headers['x-request-id']),
    );
    expect(new Set(ids).size).toBe(3);
  });
});
