import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { start, type TestServer } from '../../support/server.ts';
import { groupAt, groupBody, sidesOf, userAt, userBody } from './requests.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.stop());

/** Creates, reads, joins and deletes a user and a group of that name; answers what each step answered. */
async function lives(id: string): Promise<number[]> {
  const { request } = server;
  const encoded = encodeURIComponent(id);
  const responses = [
    await request.post('/api/v1/user').send(userBody({ username: id })),
    await request.post('/api/v1/group').send(groupBody({ id })),
    await request.post(userAt(id, `/group/${encoded}`)),
    await request.get(userAt(id)),
    await request.put(userAt(id)).send(userBody({ company: id }, { id })),
    await request.get(groupAt(id, '/@users')),
  ];
  expect(responses[3]?.body).toMatchObject({
    id,
    properties: { username: id, groups: [id] },
    extendedGroups: [{ name: id, url: `group/${encoded}` }],
  });
  expect(responses[5]?.body).toMatchObject({ entries: [{ id, properties: { company: id } }] });
  expect(await sidesOf(server, id)).toEqual({ memberUsers: [id], memberGroups: [], parentGroups: [] });
  responses.push(await request.delete(userAt(id)), await request.delete(groupAt(id)));
  return responses.map(({ status }) => status);
}

const fine = [201, 201, 201, 200, 200, 200, 204, 204];

describe('§4.3 ids', () => {
  test.each([
    'a/b',
    '/',
    'jdoe@acme.test',
    '@users',
    '..',
    '.',
    'über Straße',
    '名前',
    '😀',
    'a%2Fb',
    '%',
    'a+b',
    '?q=1#x',
    "o'neil",
    '"quoted"',
    '\\',
    'constructor',
    '__proto__',
    ' blanks around ',
    'tab\tand\nline',
    'é'.repeat(255),
  ])('%j is one like any other', async (id) => {
    expect(await lives(id)).toEqual(fine);
  });

  test('any text without NUL is one', async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
    const ids = text.filter((id) => id.trim() !== '' && !id.includes('\0') && id !== 'search');
    await fc.assert(
      fc.asyncProperty(ids, async (id) => expect(await lives(id)).toEqual(fine)),
      { numRuns: 25 },
    );
  }, 60_000);

  test('tell upper from lower case', async () => {
    await server.request
      .post('/api/v1/user')
      .send(userBody({ username: 'Case' }))
      .expect(201);
    await server.request.get(userAt('case')).expect(404);
    await server.request
      .post('/api/v1/user')
      .send(userBody({ username: 'case' }))
      .expect(201);
  });

  test('a user or group called search is addressed with an encoded letter, since the word is an address', async () => {
    await server.request
      .post('/api/v1/user')
      .send(userBody({ username: 'search' }))
      .expect(201);
    expect((await server.request.get('/api/v1/user/search').expect(200)).body['entity-type']).toBe('users');
    expect((await server.request.get('/api/v1/user/%73earch').expect(200)).body).toMatchObject({
      id: 'search',
    });
    await server.request.delete('/api/v1/user/search').expect(405);
    await server.request.delete('/api/v1/user/%73earch').expect(204);
  });
});
