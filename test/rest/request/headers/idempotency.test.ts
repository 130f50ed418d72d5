import { describe, expect, test } from '@jest/globals';
import { createDocument } from '../../../support/documents.ts';
import { statements, useServer } from '../../../support/server.ts';
import { as, useUser } from '../../../support/users.ts';
import { groupBody, userBody } from '../../authorities/authority-requests.ts';

const server = useServer({ REPOSITORIES: 'default,other' });
useUser(server, 'ann', ['administrators']);

const entity = { 'entity-type': 'document' };
const folder = (name: string, more: object = {}) => ({ ...entity, type: 'Folder', name, ...more });
const post = (key: string, body: object, path = '/api/v1/path/') =>
  server.request.post(path).set('Idempotency-Key', key).send(body);

let keys = 0;
const newKey = (): string => {
  keys += 1;
  return `key ${keys}`;
};

/** Counts the children of the root whose names start with a prefix. */
const count = (name: string) =>
  server.database.prisma.document.count({
    where: { name: { startsWith: name }, repository: 'default', isVersion: false },
  });

describe('§9 Idempotency-Key', () => {
  test('a repeated request gets the same answer and writes nothing', async () => {
    const key = newKey();
    const send = () => post(key, folder('once', { properties: { 'dc:title': 'Ωnce', 'dc:subjects': [] } }));
    const [first, second] = [await send().expect(201), await send().expect(201)];
    expect(second.text).toBe(first.text);
    for (const name of ['etag', 'content-type', 'content-length', 'idempotency-key', 'vary', 'cache-control'])
      expect([name, second.headers[name]]).toEqual([name, first.headers[name]]);
    expect(first.headers['idempotency-key']).toBe(key);
    expect(await count('once')).toBe(1);
    expect(await server.database.prisma.logEntry.count({ where: { docPath: '/once' } })).toBe(1);
  });

  test('a repeated request gets the first answer even after the document is deleted', async () => {
    const key = newKey();
    const { body } = await post(key, folder('then')).expect(201);
    await server.request.delete(`/api/v1/id/${body.uid}`).expect(204);
    expect((await post(key, folder('then')).expect(201)).body).toEqual(body);
    await server.request.get(`/api/v1/id/${body.uid}`).expect(404);
  });

  interface Write {
    readonly method: 'post' | 'put' | 'delete';
    readonly path: string;
    readonly headers?: Record<string, string>;
    readonly body?: object;
  }

  const entry = { 'entity-type': 'directoryEntry', directoryName: 'nature', properties: { id: 'twice' } };
  const run = (operation: string, input: string, params: object = {}): Write => ({
    method: 'post',
    path: `/automation/${operation}`,
    body: { input, params },
  });

  /** The kinds of writes. */
  const writes: Record<string, () => Promise<Write>> = {
    'PUT of a document': async () => {
      const { uid, changeToken } = await createDocument(server);
      const body = { ...entity, changeToken, properties: { 'dc:title': 'x' } };
      return { method: 'put', path: `/id/${uid}`, body };
    },
    'DELETE of a document': async () => ({
      method: 'delete',
      path: `/id/${(await createDocument(server)).uid}`,
    }),
    'POST of a user': async () => ({ method: 'post', path: '/user', body: userBody({ username: 'twice' }) }),
    'POST of a group': async () => ({
      method: 'post',
      path: '/group',
      body: groupBody({ id: 'twice-group' }),
    }),
    'DELETE of a group': async () => ({ method: 'delete', path: '/group/twice-group' }),
    'a membership': async () => ({ method: 'post', path: '/user/twice/group/members' }),
    'POST of an entry': async () => ({ method: 'post', path: '/directory/nature', body: entry }),
    'Document.Create': async () => run('Document.Create', '/', { type: 'File', name: 'by-operation' }),
    'Document.Delete': async () => run('Document.Delete', (await createDocument(server)).uid),
    'a silent call': async () => ({
      method: 'post',
      path: '/path/',
      body: folder('silent'),
      headers: { 'X-SvcVoidOperation': 'true' },
    }),
  };

  test.each(Object.entries(writes))('a repeated request is executed once: %s', async (_, prepare) => {
    const key = newKey();
    const { method, path, headers = {}, body } = await prepare();
    const send = () =>
      server.request[method](`/api/v1${path}`)
        .set({ ...headers, 'Idempotency-Key': key })
        .send(body);
    const [first, second] = [await send(), await send()];
    expect(first.status).toBeLessThan(300);
    expect([second.status, second.text]).toEqual([first.status, first.text]);
  });

  test('a retry may have another token in its address', async () => {
    const key = newKey();
    const tokenFor = async (deviceId: string) => {
      const query = { applicationName: 'app', deviceId, permission: 'rw' };
      return (await server.request.get('/authentication/token').query(query).expect(201)).text;
    };
    const [one, other] = [await tokenFor('one'), await tokenFor('other')];
    const send = (query: string) =>
      server.anonymous.post(`/api/v1/path/?${query}`).set('Idempotency-Key', key).send(folder('by-token'));
    const { body } = await send(`token=${one}&depth=max`).expect(201);
    for (const query of [`depth=max&token=${other}`, `t%6Fken=${other}&depth=max`])
      expect((await send(query).expect(201)).body).toEqual(body);
    await send(`token=${other}&depth=max&keepsAnother=1`).expect(422);
    await send(`token=${other}`).expect(422);
    expect(await count('by-token')).toBe(1);
  });

  test('another request with the same key answers 422 and writes nothing', async () => {
    const key = newKey();
    const { uid } = (await post(key, folder('taken')).expect(201)).body;
    const others = [
      post(key, folder('taken', { properties: { 'dc:title': 'x' } })),
      post(key, folder('taken'), '/api/v1/path/default-domain'),
      post(key, folder('taken')).set('properties', 'dublincore'),
      post(key, folder('taken')).set('Update-Comment', 'x'),
      post(key, folder('taken')).set('Prefer', 'handling=strict'),
      server.request.delete(`/api/v1/id/${uid}`).set('Idempotency-Key', key),
    ];
    for (const other of others) {
      const { body } = await other.expect(422);
      expect(body).toMatchObject({ 'entity-type': 'exception', status: 422 });
      expect(body.message).toContain(key);
    }
    expect(await count('taken')).toBe(1);
  });

  test('a failed request does not use up the key', async () => {
    const key = newKey();
    await post(key, folder('', {})).expect(400);
    await post(key, folder('f', { properties: { 'dc:nature': 'no such one' } })).expect(422);
    await post(key, folder('f'), '/api/v1/path/nowhere').expect(404);
    await post(key, folder('free')).expect(201);
    expect(await count('free')).toBe(1);
  });

  test('keys are separate for each user and repository', async () => {
    const key = newKey();
    const uids = [
      await post(key, folder('mine')).expect(201),
      await as(server, 'ann')
        .post('/api/v1/path/')
        .set('Idempotency-Key', key)
        .send(folder('mine'))
        .expect(201),
      await post(key, folder('mine')).set('Repository', 'other').expect(201),
    ].map(({ body }) => body.uid);
    expect(new Set(uids).size).toBe(3);
  });

  test('a key expires after a day, even before its row is deleted', async () => {
    const key = newKey();
    const first = await post(key, folder('day')).expect(201);
    const age = (hours: number) =>
      server.database.prisma.keptAnswer.updateMany({
        where: { key },
        data: { createdAt: new Date(Date.now() - hours * 3_600_000) },
      });
    await age(23);
    expect((await post(key, folder('day')).expect(201)).body.uid).toBe(first.body.uid);
    await age(25);
    const later = await post(key, folder('another day')).expect(201);
    expect(later.body.uid).not.toBe(first.body.uid);
    expect((await post(key, folder('another day')).expect(201)).body).toEqual(later.body);
  });

  test('an answer above 5 MB is not stored', async () => {
    const key = newKey();
    const long = { 'note:note': 'x'.repeat(5_000_000) };
    const body = { ...entity, type: 'Note', name: 'long', properties: long };
    await post(key, body).expect(201);
    await post(key, body).expect(201);
    expect(await count('long')).toBe(2);
    expect(await server.database.prisma.keptAnswer.count({ where: { key } })).toBe(0);
  });

  test('reads ignore the key', async () => {
    const get = await server.request.get('/api/v1/path/').set('Idempotency-Key', 'x').expect(200);
    const operation = await server.request
      .post('/api/v1/automation/Repository.GetDocument')
      .set('Idempotency-Key', 'x')
      .send({ params: { value: '/' } })
      .expect(200);
    for (const { headers } of [get, operation]) expect(headers).not.toHaveProperty('idempotency-key');
    expect(await server.database.prisma.keptAnswer.count({ where: { key: 'x' } })).toBe(0);
  });

  test.each(['', 'x'.repeat(256), 'Ω', 'a\tb'])('the invalid key %j answers 400', async (key) => {
    const address = `/api/v1/path/?Idempotency-Key=${encodeURIComponent(key)}`;
    const { body } = await server.request.post(address).send(folder('none')).expect(400);
    expect(body.message).toContain('Idempotency-Key');
  });

  test('a key may have 255 printable characters, also as a query parameter', async () => {
    const key = `"${'x'.repeat(252)} ~`;
    await post(key, folder('long-key')).expect(201);
    const address = `/api/v1/path/?Idempotency-Key=${encodeURIComponent('in the query')}`;
    const { headers } = await server.request.post(address).send(folder('asked')).expect(201);
    expect(headers['idempotency-key']).toBe('in the query');
  });

  test('concurrent requests with the same key are executed once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [key, name] = [newKey(), `twin-${round}-`];
      const answers = await Promise.all(Array.from({ length: 6 }, () => post(key, folder(name))));
      const done = answers.filter(({ status }) => status === 201);
      expect(new Set(done.map(({ body }) => body.uid)).size).toBe(1);
      for (const { status } of answers) expect([201, 409]).toContain(status);
      expect(await count(name)).toBe(1);
    }
  });

  test('a repeated request answers 409 while the first one is running', async () => {
    const key = newKey();
    const lock = JSON.stringify(['default', 'Administrator', key]);
    await server.database.transaction(30, async ({ query }) => {
      const text = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))::text';
      await query({ name: '', text }, [lock]);
      const { body } = await post(key, folder('busy')).expect(409);
      expect(body.message).toContain(key);
    });
    await post(key, folder('busy')).expect(201);
  });

  test('stored answers are encrypted', async () => {
    const key = newKey();
    await post(key, folder('sealed', { properties: { 'dc:title': 'a secret' } })).expect(201);
    const rows = await server.database.prisma.keptAnswer.findMany({ where: { key } });
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toMatch(/secret|sealed/);
  });

  test('a key costs two SQL statements; requests without one cost nothing', async () => {
    const plain = await server.request.post('/api/v1/path/').send(folder('plain')).expect(201);
    const key = newKey();
    const first = await post(key, folder('keyed')).expect(201);
    const second = await post(key, folder('keyed')).expect(201);
    expect(statements(first)).toBe(statements(plain) + 2);
    expect(statements(second)).toBe(2);
  });
});
