import { describe, expect, test } from '@jest/globals';
import { exception } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import {
  atGroup,
  atUser,
  groupsOf,
  missingName,
  newName,
  postGroup,
  postUser,
  sidesOf,
  userBody,
} from './authority-requests.ts';

const server = useServer();

describe('§4.3 POST /user/USER_ID/group/GROUP_ID', () => {
  test('answers 201 and the user entity; repeating it changes nothing', async () => {
    const [id, group] = [await postUser(server), await postGroup(server)];
    for (const _ of [1, 2]) {
      const response = await server.request.post(atUser(id, `/group/${group}`)).expect(201);
      expect(response.body).toMatchObject({ 'entity-type': 'user', id, properties: { groups: [group] } });
    }
    expect((await sidesOf(server, group)).memberUsers).toEqual([id]);
  });

  test('answers 404 when the user or the group does not exist', async () => {
    const id = await postUser(server);
    const missing = encodeURIComponent(missingName);
    for (const address of [atUser(id, `/group/${missing}`), atUser(missingName, '/group/members')]) {
      const response = await server.request.post(address).expect(404);
      expect(response.body).toMatchObject(exception(404, expect.stringContaining(missingName)));
    }
    expect((await groupsOf(server, id)).direct).toEqual([]);
  });
});

describe('§4.3 DELETE /user/USER_ID/group/GROUP_ID', () => {
  test('answers 200 with the user entity, even for a user who is not a member', async () => {
    const group = await postGroup(server);
    const id = await postUser(server, { groups: [group, 'members'] });
    for (const _ of [1, 2]) {
      const response = await server.request.delete(atUser(id, `/group/${group}`)).expect(200);
      expect(response.body).toMatchObject({ 'entity-type': 'user', id, properties: { groups: ['members'] } });
    }
    expect((await sidesOf(server, group)).memberUsers).toEqual([]);
  });

  test('answers 404 when the user or the group does not exist', async () => {
    const id = await postUser(server);
    const missing = encodeURIComponent(missingName);
    for (const address of [atUser(id, `/group/${missing}`), atUser(missingName, '/group/members')]) {
      const response = await server.request.delete(address).expect(404);
      expect(response.body).toMatchObject(exception(404, expect.stringContaining(missingName)));
    }
  });
});

describe('§4.4 POST /group/GROUP_ID/user/USER_ID', () => {
  test('answers 201 and the group entity with memberUsers; repeating it changes nothing', async () => {
    const [id, user] = [await postGroup(server), await postUser(server)];
    for (const _ of [1, 2]) {
      const response = await server.request.post(atGroup(id, `/user/${user}`)).expect(201);
      expect(response.body).toMatchObject({ 'entity-type': 'group', id, memberUsers: [user] });
    }
    expect((await groupsOf(server, user)).direct).toEqual([id]);
  });

  test('answers 404 when the group or the user does not exist', async () => {
    const id = await postGroup(server);
    const missing = encodeURIComponent(missingName);
    for (const address of [atGroup(id, `/user/${missing}`), atGroup(missingName, '/user/Administrator')]) {
      const response = await server.request.post(address).expect(404);
      expect(response.body).toMatchObject(exception(404, expect.stringContaining(missingName)));
    }
    expect((await sidesOf(server, id)).memberUsers).toEqual([]);
  });
});

describe('§4.4 DELETE /group/GROUP_ID/user/USER_ID', () => {
  test('answers 200 with the user entity, even for a user who is not a member', async () => {
    const user = await postUser(server);
    const id = await postGroup(server, { memberUsers: [user, 'Administrator'] });
    for (const _ of [1, 2]) {
      const response = await server.request.delete(atGroup(id, `/user/${user}`)).expect(200);
      expect(response.body).toMatchObject({ 'entity-type': 'user', id: user, properties: { groups: [] } });
    }
    expect((await sidesOf(server, id)).memberUsers).toEqual(['Administrator']);
  });

  test('answers 404 when the group or the user does not exist', async () => {
    const id = await postGroup(server);
    const missing = encodeURIComponent(missingName);
    for (const address of [atGroup(id, `/user/${missing}`), atGroup(missingName, '/user/Administrator')]) {
      const response = await server.request.delete(address).expect(404);
      expect(response.body).toMatchObject(exception(404, expect.stringContaining(missingName)));
    }
  });
});

describe('§9 X-SvcVoidOperation', () => {
  test('makes writes answer 204 without a body', async () => {
    const [username, group] = [newName(), await postGroup(server)];
    const silent = { 'X-SvcVoidOperation': 'true' };
    await server.request.post('/api/v1/user').set(silent).send(userBody({ username })).expect(204);
    await server.request
      .post(atUser(username, `/group/${group}`))
      .set(silent)
      .expect(204);
    expect((await groupsOf(server, username)).direct).toEqual([group]);
    await server.request
      .delete(atUser(username, `/group/${group}`))
      .set(silent)
      .expect(204);
    expect((await groupsOf(server, username)).direct).toEqual([]);
  });
});
