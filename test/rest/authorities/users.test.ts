import { describe, expect, test } from '@jest/globals';
import { exception } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import {
  atUser,
  groupBody,
  groupsOf,
  missingName,
  newName,
  postGroup,
  postUser,
  sidesOf,
  userBody,
} from './authority-requests.ts';

const server = useServer();

describe('§4.3 POST /user', () => {
  test('answers 201 and the new user entity', async () => {
    const username = newName();
    const properties = { username, firstName: 'Jane', email: 'jane@acme.test', groups: ['members'] };
    const response = await server.request.post('/api/v1/user').send(userBody(properties)).expect(201);
    expect(response.body).toEqual({
      'entity-type': 'user',
      id: username,
      properties: { ...properties, lastName: null, company: null, tenantId: null },
      extendedGroups: [{ name: 'members', label: 'Members group', url: 'group/members' }],
      isAdministrator: false,
      isAnonymous: false,
    });
    expect((await server.request.get(atUser(username)).expect(200)).body).toEqual(response.body);
    expect(response.headers['content-type']).toContain('nuxeo-entity=user');
  });

  test('ignores a blank id, for groups as well', async () => {
    const user = { 'entity-type': 'user', id: '', properties: { username: 'unnamed' } };
    expect((await server.request.post('/api/v1/user').send(user).expect(201)).body.id).toBe('unnamed');
    const group = { 'entity-type': 'group', id: '', groupname: 'unnamed-group' };
    expect((await server.request.post('/api/v1/group').send(group).expect(201)).body.id).toBe(
      'unnamed-group',
    );
    await server.request.post('/api/v1/group').send({ 'entity-type': 'group', id: '' }).expect(400);
    const spaced = userBody({ username: 'spaced' }, { id: ' ' });
    await server.request.post('/api/v1/user').send(spaced).expect(201);
    const inside = groupBody({ id: ' ', groupname: '', properties: { groupname: 'spaced-group' } });
    expect((await server.request.post('/api/v1/group').send(inside).expect(201)).body.id).toBe(
      'spaced-group',
    );
  });

  test('answers 409 when the username is already used', async () => {
    const username = await postUser(server, { firstName: 'First' });
    const body = userBody({ username, firstName: 'Second' });
    const response = await server.request.post('/api/v1/user').send(body).expect(409);
    expect(response.body).toMatchObject(exception(409, expect.stringContaining(username)));
    expect((await server.request.get(atUser(username))).body.properties.firstName).toBe('First');
  });

  test.each([
    ['no properties', { 'entity-type': 'user' }],
    ['no username', userBody({ firstName: 'Jane' })],
    ['an id alone', userBody({}, { id: 'jane' })],
    ['a blank username', userBody({ username: ' ' })],
    ['an empty username', userBody({ username: '' })],
    ['null as the username', userBody({ username: null })],
    ['a username that is no text', userBody({ username: 1 })],
    ['another id than the username', userBody({ username: 'jane' }, { id: 'joan' })],
    ['no entity-type', { properties: { username: 'jane' } }],
    ['another entity-type', { 'entity-type': 'group', properties: { username: 'jane' } }],
    ['properties that are no object', { 'entity-type': 'user', properties: ['username'] }],
    ['an unknown property', userBody({ username: 'jane', nosuch: 'x' })],
    ['a property of another type', userBody({ username: 'jane', firstName: 1 })],
    ['groups that are no list', userBody({ username: 'jane', groups: 'members' })],
    ['an empty password', userBody({ username: 'jane', password: '' })],
    ['a NUL', userBody({ username: 'ja\0ne' })],
    ['a name of 256 characters', userBody({ username: 'é'.repeat(256) })],
  ])('answers 400 for %s, and creates no user', async (_, body) => {
    const response = await server.request.post('/api/v1/user').send(body).expect(400);
    expect(response.body).toMatchObject(exception(400, expect.stringMatching(/./)));
    await server.request.get(atUser('jane')).expect(404);
  });

  test.each([{}, { username: ' ' }, { firstName: 'Jane' }])('asks for the name of %j', async (properties) => {
    const body = { 'entity-type': 'user', properties };
    const response = await server.request.post('/api/v1/user').send(body).expect(400);
    expect(response.body).toMatchObject(exception(400, 'User MUST have a name'));
  });

  test('answers 500 when a group does not exist, and creates no user', async () => {
    const body = userBody({ username: 'lost', groups: ['members', missingName] });
    const response = await server.request.post('/api/v1/user').send(body).expect(500);
    expect(response.body).toMatchObject(exception(500, expect.stringContaining(missingName)));
    await server.request.get(atUser('lost')).expect(404);
  });

  test('answers 422 for an invalid e-mail address', async () => {
    const body = userBody({ username: 'odd', email: 'no address' });
    const response = await server.request.post('/api/v1/user').send(body).expect(422);
    expect(response.body).toMatchObject({
      'entity-type': 'validation_report',
      violations: [{ constraint: { name: 'PatternConstraint' }, invalid_value: 'no address' }],
    });
    await server.request.get(atUser('odd')).expect(404);
  });

  test('costs at most eleven statements for any number of groups', async () => {
    const groups = await Promise.all(Array.from({ length: 12 }, () => postGroup(server)));
    const cost = async (given: string[]) =>
      statements(
        await server.request
          .post('/api/v1/user')
          .send(userBody({ username: newName(), groups: given }))
          .expect(201),
      );
    expect(await cost(groups.slice(0, 1))).toBe(await cost(groups));
    expect(await cost(groups)).toBeLessThanOrEqual(11);
  });
});

describe('§4.3 GET /user/USER_ID', () => {
  test('answers 200 and the user entity, in at most three statements', async () => {
    const response = await server.request.get(atUser('Administrator')).expect(200);
    expect(response.body).toEqual({
      'entity-type': 'user',
      id: 'Administrator',
      properties: {
        username: 'Administrator',
        firstName: null,
        lastName: null,
        company: null,
        email: 'devnull@nuxeo.com',
        groups: ['administrators'],
        tenantId: null,
      },
      extendedGroups: [
        { name: 'administrators', label: 'Administrators group', url: 'group/administrators' },
      ],
      isAdministrator: true,
      isAnonymous: false,
    });
    expect(statements(response)).toBeLessThanOrEqual(3);
  });

  test.each([missingName, 'administrator', '\0', '%'])('answers 404 when there is no user %p', async (id) => {
    const response = await server.request.get(atUser(id)).expect(404);
    expect(response.body).toMatchObject(exception(404, expect.stringContaining(id)));
  });
});

describe('§4.3 PUT /user/USER_ID', () => {
  test('answers 200 and the changed user entity', async () => {
    const id = await postUser(server, { firstName: 'Jane', company: 'Acme' });
    const body = userBody({ firstName: 'Joan', company: null }, { id });
    const response = await server.request.put(atUser(id)).send(body).expect(200);
    expect(response.body).toMatchObject({ id, properties: { firstName: 'Joan', company: null } });
    expect((await server.request.get(atUser(id))).body).toEqual(response.body);
  });

  test('takes the id from any place of the body, or from the address alone', async () => {
    const id = await postUser(server);
    const bodies = [
      userBody({ username: id }),
      userBody({}),
      userBody({}, { id: null }),
      userBody({ username: '' }, { id: ' ' }),
      userBody({ username: ' ' }, { id }),
    ];
    for (const [index, body] of bodies.entries()) {
      const company = String(index);
      const sent = { ...body, properties: { ...(body.properties as object), company } };
      const { body: answer } = await server.request.put(atUser(id)).send(sent).expect(200);
      expect(answer).toMatchObject({ id, properties: { company } });
    }
    await server.request
      .put(atUser(id))
      .send(userBody({ username: missingName }))
      .expect(500);
  });

  test('answers 200 without properties, and changes nothing', async () => {
    const id = await postUser(server, { firstName: 'Jane', groups: ['members'] });
    const before = (await server.request.get(atUser(id))).body;
    const response = await server.request.put(atUser(id)).send({ 'entity-type': 'user', id }).expect(200);
    expect(response.body).toEqual(before);
  });

  test('answers 404 when the user of the path does not exist', async () => {
    for (const id of [missingName, 'Administrator']) {
      const response = await server.request.put(atUser(missingName)).send(userBody({}, { id })).expect(404);
      expect(response.body).toMatchObject(exception(404, expect.stringContaining(missingName)));
    }
  });

  test('answers 404 for a user entity when only a group has that id', async () => {
    const id = await postGroup(server);
    await server.request.put(atUser(id)).send(userBody({}, { id })).expect(404);
  });

  test('answers 500 when the user of the body does not exist, and changes nothing', async () => {
    const id = await postUser(server, { firstName: 'Jane' });
    const body = userBody({ firstName: 'Joan' }, { id: missingName });
    const response = await server.request.put(atUser(id)).send(body).expect(500);
    expect(response.body).toMatchObject(exception(500, expect.stringContaining(missingName)));
    expect((await server.request.get(atUser(id))).body.properties.firstName).toBe('Jane');
  });

  test('answers 400 for the id of another user, and changes neither user', async () => {
    const [id, other] = [await postUser(server), await postUser(server)];
    const body = userBody({ firstName: 'Joan' }, { id: other });
    const response = await server.request.put(atUser(id)).send(body).expect(400);
    expect(response.body.message).toContain(other);
    for (const one of [id, other]) {
      expect((await server.request.get(atUser(one))).body.properties.firstName).toBeNull();
    }
  });

  test.each([
    ['the id of no text', () => userBody({}, { id: 1 })],
    ['the username of another user and no id', () => userBody({ username: 'Administrator' })],
    ['another username', (id: string) => userBody({ username: `${id}x` }, { id })],
    ['an unknown property', (id: string) => userBody({ nosuch: 1 }, { id })],
    ['a property of another type', (id: string) => userBody({ company: ['x'] }, { id })],
    ['an empty password', (id: string) => userBody({ password: '' }, { id })],
    ['no entity-type', (id: string) => ({ id, properties: {} })],
    ['another entity-type', (id: string) => ({ 'entity-type': 'document', id })],
  ])('answers 400 for %s', async (_, bodyOf) => {
    const id = await postUser(server);
    const response = await server.request.put(atUser(id)).send(bodyOf(id)).expect(400);
    expect(response.body).toMatchObject(exception(400, expect.stringMatching(/./)));
  });

  test('answers 422 for an invalid e-mail address, but accepts an empty one', async () => {
    const id = await postUser(server);
    await server.request
      .put(atUser(id))
      .send(userBody({ email: 'x' }, { id }))
      .expect(422);
    await server.request
      .put(atUser(id))
      .send(userBody({ email: '' }, { id }))
      .expect(200);
  });

  test('replaces the groups in the body, keeps absent ones and clears those sent empty', async () => {
    const [one, two] = [await postGroup(server), await postGroup(server)];
    const id = await postUser(server, { groups: [one, 'members'] });
    const put = (properties: Record<string, unknown>) =>
      server.request.put(atUser(id)).send(userBody(properties, { id }));
    await put({ groups: [two, one, two] }).expect(200);
    expect((await groupsOf(server, id)).direct).toEqual([one, two].sort());
    await put({ firstName: 'Jane' }).expect(200);
    expect((await groupsOf(server, id)).direct).toEqual([one, two].sort());
    await put({ groups: [missingName] }).expect(500);
    expect((await groupsOf(server, id)).direct).toEqual([one, two].sort());
    await put({ groups: [] }).expect(200);
    expect((await groupsOf(server, id)).direct).toEqual([]);
  });

  test('accepts the entity that GET returned, and changes nothing', async () => {
    const id = await postUser(server, { lastName: 'Doe', groups: ['members'], email: 'a@b.test' });
    const { body } = await server.request.get(atUser(id)).expect(200);
    expect((await server.request.put(atUser(id)).send(body).expect(200)).body).toEqual(body);
  });
});

describe('§4.3 DELETE /user/USER_ID', () => {
  test('answers 204 without a body and removes the user with all memberships', async () => {
    const group = await postGroup(server);
    const id = await postUser(server, { groups: [group] });
    const response = await server.request.delete(atUser(id)).expect(204);
    expect(response.text).toBe('');
    await server.request.get(atUser(id)).expect(404);
    expect((await sidesOf(server, group)).memberUsers).toEqual([]);
    await postUser(server, { username: id });
    expect((await groupsOf(server, id)).direct).toEqual([]);
  });

  test('answers 404 when the user does not exist or was deleted before', async () => {
    const id = await postUser(server);
    await server.request.delete(atUser(id)).expect(204);
    for (const gone of [id, missingName]) {
      const response = await server.request.delete(atUser(gone)).expect(404);
      expect(response.body).toMatchObject(exception(404, expect.stringContaining(gone)));
    }
  });

  test('answers 409 for the administrator and deletes nothing', async () => {
    const response = await server.request.delete(atUser('Administrator')).expect(409);
    expect(response.body).toMatchObject(exception(409, expect.stringContaining('Administrator')));
    await server.request.get('/api/v1/me').expect(200);
  });
});
