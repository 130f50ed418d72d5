import { beforeAll, describe, expect, test } from '@jest/globals';
import { exception } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { as } from '../../support/users.ts';
import {
  atGroup,
  atUser,
  groupBody,
  groupsOf,
  newName,
  postGroup,
  postUser,
  sidesOf,
  userBody,
} from './authority-requests.ts';

const server = useServer();
/** `power` is a power user, `plain` a member without rights, `administrator` not the built-in one. */
let power: ReturnType<typeof as>;
let plain: ReturnType<typeof as>;
let administrator: string;
/** A group inside a group of administrators. */
let nested: string;
beforeAll(async () => {
  power = as(server, await postUser(server, { groups: ['powerusers'] }));
  plain = as(server, await postUser(server, { groups: ['members'] }));
  nested = await postGroup(server);
  const between = await postGroup(server, { memberGroups: [nested] });
  const body = groupBody({ id: 'administrators', memberGroups: [between] });
  await server.request.put(atGroup('administrators')).send(body).expect(200);
  administrator = await postUser(server, { groups: [nested] });
});

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
  ])('GET %s answers 200 to any authenticated user, and 401 without credentials', async (address) => {
    await plain.get(`/api/v1${address}`).expect(200);
    await server.anonymous.get(`/api/v1${address}`).expect(401);
  });
});

describe('§4.3 managing users and groups', () => {
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
    await postUser(server, { username: 'target', groups: ['members'] });
    await postGroup(server, { id: 'target-group', memberUsers: ['target'] });
  });

  test.each(rows)('%s answers 403 to other users and writes nothing', async (_, verb, address, body) => {
    const before = [await groupsOf(server, 'target'), await sidesOf(server, 'target-group')];
    const response = await plain[verb](`/api/v1${address}`).send(body).expect(403);
    expect(response.body).toMatchObject(
      refused('Only administrators and power users can edit users and groups'),
    );
    expect([await groupsOf(server, 'target'), await sidesOf(server, 'target-group')]).toEqual(before);
    await server.request.get(atUser('by-plain')).expect(404);
    await server.request.get(atGroup('group-by-plain')).expect(404);
  });

  test('power users can create, change and delete users and groups', async () => {
    const [user, group] = [newName(), newName()];
    await power
      .post('/api/v1/user')
      .send(userBody({ username: user, groups: ['members'] }))
      .expect(201);
    await power
      .put(atUser(user))
      .send(userBody({ company: 'x', password: 'p' }, { id: user }))
      .expect(200);
    await power
      .post('/api/v1/group')
      .send(groupBody({ id: group, memberUsers: [user], memberGroups: ['members'] }))
      .expect(201);
    await power
      .put(atGroup(group))
      .send(groupBody({ id: group, grouplabel: 'x', memberUsers: [], memberGroups: [] }))
      .expect(200);
    await power.post(atUser(user, `/group/${group}`)).expect(201);
    await power.delete(atGroup(group, `/user/${user}`)).expect(200);
    await power.delete(atGroup(group)).expect(204);
    await power.delete(atUser(user)).expect(204);
  });
});

describe('§4.3 power users', () => {
  test('cannot change or delete administrators, directly or indirectly members of the group', async () => {
    for (const id of ['Administrator', administrator]) {
      for (const properties of [{ company: 'x' }, { password: 'mine' }, { groups: [] }, {}]) {
        const response = await power.put(atUser(id)).send(userBody(properties, { id })).expect(403);
        expect(response.body).toMatchObject(refused(id));
      }
      await power.delete(atUser(id)).expect(403);
      await power.post(atUser(id, '/group/members')).expect(403);
      await power.delete(atUser(id, '/group/members')).expect(403);
    }
    expect(await groupsOf(server, administrator)).toMatchObject({ direct: [nested] });
    await as(server, administrator).get('/api/v1/me').expect(200);
  });

  test('cannot fill, change or delete groups of administrators', async () => {
    const [user, group] = [await postUser(server), await postGroup(server)];
    for (const id of ['administrators', nested]) {
      const before = await sidesOf(server, id);
      await power.post(atUser(user, `/group/${id}`)).expect(403);
      await power.post(atGroup(id, `/user/${user}`)).expect(403);
      await power.delete(atGroup(id, `/user/${user}`)).expect(403);
      await power
        .put(atUser(user))
        .send(userBody({ groups: ['members', id] }, { id: user }))
        .expect(403);
      await power
        .post('/api/v1/user')
        .send(userBody({ username: 'sneaky', groups: [id] }))
        .expect(403);
      for (const more of [{ memberUsers: [user] }, { memberGroups: [group] }, { grouplabel: 'x' }]) {
        await power
          .put(atGroup(id))
          .send(groupBody({ id, ...more }))
          .expect(403);
        await power
          .put(atUser(id))
          .send(groupBody({ id, ...more }))
          .expect(403);
      }
      await power.delete(atGroup(id)).expect(403);
      expect(await sidesOf(server, id)).toEqual(before);
    }
    expect(await groupsOf(server, user)).toEqual({ direct: [], all: [] });
    await server.request.get(atUser('sneaky')).expect(404);
  });

  test('cannot add administrators to groups or remove them through the members of a group', async () => {
    const id = await postGroup(server, { memberUsers: [administrator] });
    const put = (more: Record<string, unknown>) => power.put(atGroup(id)).send(groupBody({ id, ...more }));
    await put({ memberUsers: [] }).expect(403);
    await put({ memberUsers: [administrator, 'Administrator'] }).expect(403);
    await put({ memberGroups: ['administrators'] }).expect(403);
    await power
      .post('/api/v1/group')
      .send(groupBody({ id: newName(), memberGroups: [nested] }))
      .expect(403);
    // A list that keeps the administrator does not change any administrator.
    await put({ memberUsers: [administrator], grouplabel: 'Changed' }).expect(200);
  });

  test('cannot create users or groups with the names of administrators or their groups', async () => {
    await server.request.delete(atGroup(nested)).expect(204);
    await power
      .post('/api/v1/user')
      .send(userBody({ username: 'administrators' }))
      .expect(403);
    await power
      .post('/api/v1/group')
      .send(groupBody({ id: 'Administrator' }))
      .expect(403);
    // As in databases in which the group was deleted before that was refused.
    await server.database.prisma.group.delete({ where: { id: 'administrators' } });
    await power
      .post('/api/v1/group')
      .send(groupBody({ id: 'administrators' }))
      .expect(403);
    await postGroup(server, { id: 'administrators', memberUsers: ['Administrator'] });
  });
});
