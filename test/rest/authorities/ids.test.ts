import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fillFoldedIds } from '../../../src/store/authorities/folded-ids.ts';
import { exception } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { atGroup, atUser, groupBody, sidesOf, userBody } from './authority-requests.ts';

const server = useServer();

/** Creates, reads, joins and deletes a user with this id and a group with a like one; returns the status of each step. */
async function lives(id: string): Promise<number[]> {
  const { request } = server;
  const group = `${id}~`;
  const encoded = encodeURIComponent(group);
  const responses = [
    await request.post('/api/v1/user').send(userBody({ username: id })),
    await request.post('/api/v1/group').send(groupBody({ id: group })),
    await request.post(atUser(id, `/group/${encoded}`)),
    await request.get(atUser(id)),
    await request.put(atUser(id)).send(userBody({ company: id }, { id })),
    await request.get(atGroup(group, '/@users')),
  ];
  expect(responses[3]?.body).toMatchObject({
    id,
    properties: { username: id, groups: [group] },
    extendedGroups: [{ name: group, url: `group/${encoded}` }],
  });
  expect(responses[5]?.body).toMatchObject({ entries: [{ id, properties: { company: id } }] });
  expect(await sidesOf(server, group)).toEqual({ memberUsers: [id], memberGroups: [], parentGroups: [] });
  responses.push(await request.delete(atUser(id)), await request.delete(atGroup(group)));
  return responses.map(({ status }) => status);
}

const fine = [201, 201, 201, 200, 200, 200, 204, 204];

describe('§4.3 ids of users and groups', () => {
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
    'é'.repeat(254),
  ])('%j is a valid id in all requests', async (id) => {
    expect(await lives(id)).toEqual(fine);
  });

  test('any other text in NFC without control characters is a valid id', async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
    const ids = text
      .map((id) => id.normalize('NFC').trim())
      .filter((id) => id !== '' && !/\p{Cc}/u.test(id) && id !== 'search');
    await fc.assert(
      fc.asyncProperty(ids, async (id) => expect(await lives(id)).toEqual(fine)),
      { numRuns: 8 },
    );
  });

  test('are stored in NFC, without blanks around them', async () => {
    for (const [sent, id] of [
      [' tb\u00a0', 'tb'],
      ['zoe\u0301', 'zo\u00e9'],
    ] as const) {
      const { body } = await server.request
        .post('/api/v1/user')
        .send(userBody({ username: sent }, { id: sent }))
        .expect(201);
      expect(body).toMatchObject({ id, properties: { username: id } });
      await server.request
        .post('/api/v1/user')
        .send(userBody({ username: id }))
        .expect(409);
      const group = await server.request
        .post('/api/v1/group')
        .send(groupBody({ id: `${sent} g ` }))
        .expect(201);
      expect(group.body.id).toBe(`${sent} g `.normalize('NFC').trim());
    }
  });

  test.each(['n\nl', 'tab\t.', '\u0085x', 'x\u0007'])(
    '%j has a control character, and is 400',
    async (id) => {
      const user = await server.request.post('/api/v1/user').send(userBody({ username: id }));
      expect(user.body).toMatchObject(exception(400, 'username must not contain control characters'));
      const group = await server.request.post('/api/v1/group').send(groupBody({ id }));
      expect(group.body).toMatchObject(exception(400, 'id must not contain control characters'));
    },
  );

  test('are unique among users and groups together, also when both are created at the same time', async () => {
    const { request } = server;
    const user = (username: string) => request.post('/api/v1/user').send(userBody({ username }));
    const group = (id: string) => request.post('/api/v1/group').send(groupBody({ id }));
    expect((await user('members').expect(409)).body.message).toContain('The group members exists');
    expect((await group('Administrator').expect(409)).body.message).toContain(
      'The user Administrator exists',
    );
    for (let round = 0; round < 5; round += 1) {
      const both = await Promise.all([user(`both-${round}`), group(`both-${round}`)]);
      expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    }
  });

  test.each(['Everyone', 'system'])('%s is a reserved name, of no user and no group', async (name) => {
    const fault = exception(400, expect.stringContaining('reserved name'));
    const user = await server.request.post('/api/v1/user').send(userBody({ username: name }));
    expect(user.body).toMatchObject(fault);
    const group = await server.request.post('/api/v1/group').send(groupBody({ id: name }));
    expect(group.body).toMatchObject(fault);
  });

  test('§2.5 the name of a guest is reserved: an account would have the rights of the guest', async () => {
    const { body } = await server.request
      .post('/api/v1/automation/Document.AddPermission')
      .send({
        input: '/default-domain',
        params: { email: 'guest@acme.test', permission: 'Read', end: '2999-01-01T00:00:00Z' },
      })
      .expect(200);
    const [kept] = await server.database.prisma.documentAcl.findMany({ where: { documentId: body.uid } });
    const [, guest = ''] = /"(transient\/[^"]+)"/.exec(JSON.stringify(kept?.acls)) ?? [];
    expect(guest).toContain('guest@acme.test');
    const user = await server.request.post('/api/v1/user').send(userBody({ username: guest }));
    expect(user.body).toMatchObject(exception(400, expect.stringContaining('reserved name')));
  });

  test.each([
    ['Case', 'case'],
    ['stra\u00dfe', 'STRASSE'],
    ['\u03c3\u03af\u03c3\u03c5\u03c6\u03bf\u03c2', '\u03a3\u038a\u03a3\u03a5\u03a6\u039f\u03a3'],
    ['ZO\u00cb', 'zoe\u0308'],
    ['kelvin', '\u212aelvin'],
  ])('%s and %s clash, for users and groups, and are looked up by case', async (first, second) => {
    const { request } = server;
    await request
      .post('/api/v1/user')
      .send(userBody({ username: first }))
      .expect(201);
    await request.get(atUser(second)).expect(404);
    const clash = exception(409, expect.stringContaining(`The user ${first} exists`));
    const user = await request.post('/api/v1/user').send(userBody({ username: second }));
    expect(user.body).toMatchObject(clash);
    const group = await request.post('/api/v1/group').send(groupBody({ id: second }));
    expect(group.body).toMatchObject(clash);
    await request.delete(atUser(first)).expect(204);
    await request
      .post('/api/v1/group')
      .send(groupBody({ id: second }))
      .expect(201);
  });

  test.each([
    ['User.CreateOrUpdate', { username: 'WAYS' }],
    ['User.CreateOrUpdate', { username: 'WAYS', mode: 'create' }],
    ['Group.CreateOrUpdate', { groupname: 'WAYS' }],
    ['User.Invite', { username: 'WAYS', email: 'ways@acme.test' }],
  ])('clash in %s as in REST', async (operation, fields) => {
    const { request } = server;
    await request.post('/api/v1/user').send(userBody({ username: 'ways' }));
    const call =
      operation === 'User.Invite'
        ? { input: { 'entity-type': 'user', properties: fields }, params: {} }
        : { params: fields };
    const { body } = await request.post(`/api/v1/automation/${operation}`).send(call);
    expect(body).toMatchObject(exception(409, expect.stringContaining('The user ways exists')));
  });

  test('differing only by case are created once, also at the same time', async () => {
    const { request } = server;
    for (let round = 0; round < 5; round += 1) {
      const both = await Promise.all(
        [`Ann-${round}`, `ann-${round}`].map((username) =>
          request.post('/api/v1/user').send(userBody({ username })),
        ),
      );
      expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    }
  });

  test('that clash already keep working, and get their folded ids at the next start', async () => {
    const { request, database } = server;
    await database.prisma.user.createMany({ data: [{ id: 'Old' }, { id: 'old' }] });
    await database.prisma.group.createMany({ data: [{ id: 'OLD' }] });
    await fillFoldedIds(database);
    for (const id of ['Old', 'old']) {
      await request
        .put(atUser(id))
        .send(userBody({ company: id }, { id }))
        .expect(200);
    }
    await request
      .put(atGroup('OLD'))
      .send(groupBody({ id: 'OLD', grouplabel: 'o' }))
      .expect(200);
    await request
      .post('/api/v1/user')
      .send(userBody({ username: 'oLD' }))
      .expect(409);
    await request.delete(atUser('Old')).expect(204);
    await request.get(atUser('old')).expect(200);
    await request.delete(atUser('old')).expect(204);
    await request.delete(atGroup('OLD')).expect(204);
  });

  test('search must be percent-encoded as an id, as /user/search is an address of its own', async () => {
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
