import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { start, type TestServer } from '../../support/server.ts';
import {
  createGroup,
  createUser,
  exception,
  groupAt,
  groupsOf,
  newId,
  nobody,
  sidesOf,
  userAt,
  userBody,
} from './requests.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.stop());

describe('§4.3 POST /user/USER_ID/group/GROUP_ID', () => {
  test('answers 201 and the entity of the user who joined; twice is once', async () => {
    const [id, group] = [await createUser(server), await createGroup(server)];
    for (const _ of [1, 2]) {
      const response = await server.request.post(userAt(id, `/group/${group}`)).expect(201);
      expect(response.body).toMatchObject({ 'entity-type': 'user', id, properties: { groups: [group] } });
    }
    expect((await sidesOf(server, group)).memberUsers).toEqual([id]);
  });

  test('answers 404 when there is no such user, or no such group', async () => {
    const id = await createUser(server);
    const missing = encodeURIComponent(nobody);
    for (const address of [userAt(id, `/group/${missing}`), userAt(nobody, '/group/members')]) {
      const response = await server.request.post(address).expect(404);
      expect(response.body).toMatchObject(exception(404, expect.stringContaining(nobody)));
    }
    expect((await groupsOf(server, id)).direct).toEqual([]);
  });
});

describe('§4.3 DELETE /user/USER_ID/group/GROUP_ID', () => {
  test('answers 200 with the user entity, whether or not a member', async () => {
    const group = await createGroup(server);
    const id = await createUser(server, { groups: [group, 'members'] });
    for (const _ of [1, 2]) {
      const response = await server.request.delete(userAt(id, `/group/${group}`)).expect(200);
      expect(response.body).toMatchObject({ 'entity-type': 'user', id, properties: { groups: ['members'] } });
    }
    expect((await sidesOf(server, group)).memberUsers).toEqual([]);
  });

  test('answers 404 when there is no such user, or no such group', async () => {
    const id = await createUser(server);
    const missing = encodeURIComponent(nobody);
    for (const address of [userAt(id, `/group/${missing}`), userAt(nobody, '/group/members')]) {
      const response = await server.request.delete(address).expect(404);
      expect(response.body).toMatchObject(exception(404, expect.stringContaining(nobody)));
    }
  });
});

describe('§4.4 POST /group/GROUP_ID/user/USER_ID', () => {
  test('answers 201 and the group entity with memberUsers; twice is once', async () => {
    const [id, user] = [await createGroup(server), await createUser(server)];
    for (const _ of [1, 2]) {
      const response = await server.request.post(groupAt(id, `/user/${user}`)).expect(201);
      expect(response.body).toMatchObject({ 'entity-type': 'group', id, memberUsers: [user] });
    }
    expect((await groupsOf(server, user)).direct).toEqual([id]);
  });

  test('answers 404 when there is no such group, or no such user', async () => {
    const id = await createGroup(server);
    const missing = encodeURIComponent(nobody);
    for (const address of [groupAt(id, `/user/${missing}`), groupAt(nobody, '/user/Administrator')]) {
      const response = await server.request.post(address).expect(404);
      expect(response.body).toMatchObject(exception(404, expect.stringContaining(nobody)));
    }
    expect((await sidesOf(server, id)).memberUsers).toEqual([]);
  });
});

describe('§4.4 DELETE /group/GROUP_ID/user/USER_ID', () => {
  test('answers 200 with the user entity, whether or not a member', async () => {
    const user = await createUser(server);
    const id = await createGroup(server, { memberUsers: [user, 'Administrator'] });
    for (const _ of [1, 2]) {
      const response = await server.request.delete(groupAt(id, `/user/${user}`)).expect(200);
      expect(response.body).toMatchObject({ 'entity-type': 'user', id: user, properties: { groups: [] } });
    }
    expect((await sidesOf(server, id)).memberUsers).toEqual(['Administrator']);
  });

  test('answers 404 when there is no such group, or no such user', async () => {
    const id = await createGroup(server);
    const missing = encodeURIComponent(nobody);
    for (const address of [groupAt(id, `/user/${missing}`), groupAt(nobody, '/user/Administrator')]) {
      const response = await server.request.delete(address).expect(404);
      expect(response.body).toMatchObject(exception(404, expect.stringContaining(nobody)));
    }
  });
});

describe('§9 X-SvcVoidOperation', () => {
  test('writes answer 204 without a body, and work', async () => {
    const [username, group] = [newId(), await createGroup(server)];
    const silent = { 'X-SvcVoidOperation': 'true' };
    await server.request.post('/api/v1/user').set(silent).send(userBody({ username })).expect(204);
    await server.request
      .post(userAt(username, `/group/${group}`))
      .set(silent)
      .expect(204);
    expect((await groupsOf(server, username)).direct).toEqual([group]);
    await server.request
      .delete(userAt(username, `/group/${group}`))
      .set(silent)
      .expect(204);
    expect((await groupsOf(server, username)).direct).toEqual([]);
  });
});
