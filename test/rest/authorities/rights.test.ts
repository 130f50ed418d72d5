import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { start, type TestServer } from '../../support/server.ts';
import {
  as,
  createGroup,
  createUser,
  exception,
  groupAt,
  groupBody,
  groupsOf,
  newId,
  sidesOf,
  userAt,
  userBody,
} from './requests.ts';

let server: TestServer;
/** A power user, an administrator other than the first one, and somebody. */
let power: ReturnType<typeof as>;
let plain: ReturnType<typeof as>;
let administrator: string;
/** A group inside a group of administrators. */
let nested: string;
beforeAll(async () => {
  server = await start();
  power = as(server, await createUser(server, { groups: ['powerusers'] }));
  plain = as(server, await createUser(server, { groups: ['members'] }));
  nested = await createGroup(server);
  const between = await createGroup(server, { memberGroups: [nested] });
  const body = groupBody({ id: 'administrators', memberGroups: [between] });
  await server.request.put(groupAt('administrators')).send(body).expect(200);
  administrator = await createUser(server, { groups: [nested] });
});
afterAll(() => server.stop());

const refused = (said: string) => exception(403, expect.stringContaining(said));

describe('§4.3 reading users and groups', () => {
  test.each([
    '/user/Administrator',
    '/user/members',
    '/group/administrators',
    '/user/search?q=*',
    '/group/search?q=*',
    '/group/administrators/@users',
    '/group/administrators/@groups',
    '/me',
  ])('GET %s is open to everybody who is logged in, and to nobody else', async (address) => {
    await plain('get', `/api/v1${address}`).expect(200);
    await server.anonymous.get(`/api/v1${address}`).expect(401);
  });
});

describe('§4.3 writing needs an administrator or a power user', () => {
  const rows: Array<[string, 'post' | 'put' | 'delete', string, object | undefined]> = [
    ['POST /user', 'post', '/user', userBody({ username: 'by-plain' })],
    ['PUT /user/ID', 'put', '/user/target', userBody({ company: 'x' }, { id: 'target' })],
    ['DELETE /user/ID', 'delete', '/user/target', undefined],
    ['PUT /user/GROUP_ID', 'put', '/user/target-group', groupBody({ id: 'target-group' })],
    ['DELETE /user/GROUP_ID', 'delete', '/user/target-group', undefined],
    ['POST /user/ID/group/ID', 'post', '/user/target/group/target-group', undefined],
    ['DELETE /user/ID/group/ID', 'delete', '/user/target/group/target-group', undefined],
    ['POST /group', 'post', '/group', groupBody({ id: 'group-by-plain' })],
    ['PUT /group/ID', 'put', '/group/target-group', groupBody({ id: 'target-group', grouplabel: 'x' })],
    ['DELETE /group/ID', 'delete', '/group/target-group', undefined],
    ['POST /group/ID/user/ID', 'post', '/group/target-group/user/target', undefined],
    ['DELETE /group/ID/user/ID', 'delete', '/group/target-group/user/target', undefined],
  ];
  beforeAll(async () => {
    await createUser(server, { username: 'target', groups: ['members'] });
    await createGroup(server, { id: 'target-group', memberUsers: ['target'] });
  });

  test.each(rows)('%s: 403 for others, and nothing is written', async (_, verb, address, body) => {
    const before = [await groupsOf(server, 'target'), await sidesOf(server, 'target-group')];
    const response = await plain(verb, `/api/v1${address}`).send(body).expect(403);
    expect(response.body).toMatchObject(refused('not allowed'));
    expect([await groupsOf(server, 'target'), await sidesOf(server, 'target-group')]).toEqual(before);
    await server.request.get(userAt('by-plain')).expect(404);
    await server.request.get(groupAt('group-by-plain')).expect(404);
  });

  test('a power user does all of it', async () => {
    const [user, group] = [newId(), newId()];
    await power('post', '/api/v1/user')
      .send(userBody({ username: user, groups: ['members'] }))
      .expect(201);
    await power('put', userAt(user))
      .send(userBody({ company: 'x', password: 'p' }, { id: user }))
      .expect(200);
    await power('post', '/api/v1/group')
      .send(groupBody({ id: group, memberUsers: [user], memberGroups: ['members'] }))
      .expect(201);
    await power('put', groupAt(group))
      .send(groupBody({ id: group, grouplabel: 'x', memberUsers: [], memberGroups: [] }))
      .expect(200);
    await power('post', userAt(user, `/group/${group}`)).expect(201);
    await power('delete', groupAt(group, `/user/${user}`)).expect(200);
    await power('delete', groupAt(group)).expect(204);
    await power('delete', userAt(user)).expect(204);
  });
});

describe('§4.3 power users may not touch administrators', () => {
  test('neither change nor delete them, by whatever group they are some', async () => {
    for (const id of ['Administrator', administrator]) {
      for (const properties of [{ company: 'x' }, { password: 'mine' }, { groups: [] }, {}]) {
        const response = await power('put', userAt(id)).send(userBody(properties, { id })).expect(403);
        expect(response.body).toMatchObject(refused(id));
      }
      await power('delete', userAt(id)).expect(403);
      await power('post', userAt(id, '/group/members')).expect(403);
      await power('delete', userAt(id, '/group/members')).expect(403);
    }
    expect(await groupsOf(server, administrator)).toMatchObject({ direct: [nested] });
    await as(server, administrator)('get', '/api/v1/me').expect(200);
  });

  test('nor fill, change or delete groups of administrators', async () => {
    const [user, group] = [await createUser(server), await createGroup(server)];
    for (const id of ['administrators', nested]) {
      const before = await sidesOf(server, id);
      await power('post', userAt(user, `/group/${id}`)).expect(403);
      await power('post', groupAt(id, `/user/${user}`)).expect(403);
      await power('delete', groupAt(id, `/user/${user}`)).expect(403);
      await power('put', userAt(user))
        .send(userBody({ groups: ['members', id] }, { id: user }))
        .expect(403);
      await power('post', '/api/v1/user')
        .send(userBody({ username: 'sneaky', groups: [id] }))
        .expect(403);
      for (const more of [{ memberUsers: [user] }, { memberGroups: [group] }, { grouplabel: 'x' }]) {
        await power('put', groupAt(id))
          .send(groupBody({ id, ...more }))
          .expect(403);
        await power('put', userAt(id))
          .send(groupBody({ id, ...more }))
          .expect(403);
      }
      await power('delete', groupAt(id)).expect(403);
      expect(await sidesOf(server, id)).toEqual(before);
    }
    expect(await groupsOf(server, user)).toEqual({ direct: [], all: [] });
    await server.request.get(userAt('sneaky')).expect(404);
  });

  test('nor put them into groups, or take them out, by the members of another group', async () => {
    const id = await createGroup(server, { memberUsers: [administrator] });
    const put = (more: Record<string, unknown>) => power('put', groupAt(id)).send(groupBody({ id, ...more }));
    await put({ memberUsers: [] }).expect(403);
    await put({ memberUsers: [administrator, 'Administrator'] }).expect(403);
    await put({ memberGroups: ['administrators'] }).expect(403);
    await power('post', '/api/v1/group')
      .send(groupBody({ id: newId(), memberGroups: [nested] }))
      .expect(403);
    // An administrator who stays is not touched.
    await put({ memberUsers: [administrator], grouplabel: 'Changed' }).expect(200);
  });

  test('nor take the name of their groups, or theirs, by which something may be granted', async () => {
    await server.request.delete(groupAt(nested)).expect(204);
    await power('post', '/api/v1/user')
      .send(userBody({ username: 'administrators' }))
      .expect(403);
    await power('post', '/api/v1/group')
      .send(groupBody({ id: 'Administrator' }))
      .expect(403);
    await server.request.delete(groupAt('administrators')).expect(204);
    await power('post', '/api/v1/group')
      .send(groupBody({ id: 'administrators' }))
      .expect(403);
    await createGroup(server, { id: 'administrators', memberUsers: ['Administrator'] });
  });
});

describe('§5 what is changed counts at once', () => {
  test('a user who joins, leaves, or loses a group around, gains or loses its rights with the next call', async () => {
    const id = await createUser(server);
    const act = () => as(server, id)('post', '/api/v1/group').send(groupBody({ id: newId() }));
    await act().expect(403);
    await server.request.post(userAt(id, '/group/powerusers')).expect(201);
    await act().expect(201);
    await server.request.delete(groupAt('powerusers', `/user/${id}`)).expect(200);
    await act().expect(403);
    const group = await createGroup(server, { memberUsers: [id] });
    const nest = (memberGroups: string[]) =>
      server.request
        .put(groupAt('powerusers'))
        .send(groupBody({ id: 'powerusers', memberGroups }))
        .expect(200);
    await nest([group]);
    await act().expect(201);
    await nest([]);
    await act().expect(403);
    await nest([group]);
    await act().expect(201);
    await server.request.delete(groupAt(group)).expect(204);
    await act().expect(403);
  });

  test('a new password is the only one, and a deleted user is nobody', async () => {
    const id = await createUser(server);
    const me = (password: string) => server.anonymous.get('/api/v1/me').auth(id, password);
    await me(id).expect(200);
    await server.request
      .put(userAt(id))
      .send(userBody({ password: 'new' }, { id }))
      .expect(200);
    await me(id).expect(401);
    await me('new').expect(200);
    await server.request
      .put(userAt(id))
      .send(userBody({ company: 'x' }, { id }))
      .expect(200);
    await me('new').expect(200);
    await server.request
      .put(userAt(id))
      .send(userBody({ password: null }, { id }))
      .expect(200);
    await me('new').expect(401);
    await server.request
      .put(userAt(id))
      .send(userBody({ password: 'newer' }, { id }))
      .expect(200);
    await me('newer').expect(200);
    await server.request.delete(userAt(id)).expect(204);
    await me('newer').expect(401);
  });
});
