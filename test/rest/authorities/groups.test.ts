/** @group every-database */

import { describe, expect, test } from '@jest/globals';
import { exception } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import {
  atGroup,
  atUser,
  everySide,
  groupAddresses,
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

describe('§4.4 POST /group', () => {
  test('answers 201 and the new group entity', async () => {
    const [id, user, inner] = [newName(), await postUser(server), await postGroup(server)];
    const body = groupBody({
      id,
      grouplabel: 'A group',
      memberUsers: [user],
      memberGroups: [inner],
      properties: { description: 'For tests' },
    });
    const response = await server.request.post('/api/v1/group').send(body).expect(201);
    const entity = {
      'entity-type': 'group',
      id,
      groupname: id,
      grouplabel: 'A group',
      properties: { groupname: id, grouplabel: 'A group', description: 'For tests', tenantId: null },
    };
    expect(response.body).toEqual(entity);
    expect(response.headers['content-type']).toContain('nuxeo-entity=group');
    const read = await server.request.get(atGroup(id)).set(everySide).expect(200);
    expect(read.body).toEqual({ ...entity, memberUsers: [user], memberGroups: [inner], parentGroups: [] });
    expect((await sidesOf(server, inner)).parentGroups).toEqual([id]);
  });

  test.each([
    ['id', (id: string) => ({ id })],
    ['groupname', (id: string) => ({ groupname: id })],
    ['properties.groupname', (id: string) => ({ properties: { groupname: id } })],
    ['all three', (id: string) => ({ id, groupname: id, properties: { groupname: id } })],
  ])('takes its id from %s', async (_, fields) => {
    const id = newName();
    const body = groupBody(fields(id));
    expect((await server.request.post('/api/v1/group').send(body).expect(201)).body).toMatchObject({ id });
  });

  test('answers 409 when the id is already used', async () => {
    const id = await postGroup(server, { grouplabel: 'First' });
    const body = groupBody({ id, grouplabel: 'Second', memberUsers: ['Administrator'] });
    const response = await server.request.post('/api/v1/group').send(body).expect(409);
    expect(response.body).toMatchObject(exception(409, `Group already exists: ${id}`));
    expect((await server.request.get(atGroup(id))).body.grouplabel).toBe('First');
    expect((await sidesOf(server, id)).memberUsers).toEqual([]);
  });

  test.each([
    ['no id at all', groupBody({ grouplabel: 'x' })],
    ['a blank id', groupBody({ id: ' ' })],
    ['an id that is no text', groupBody({ id: 1 })],
    ['an id and another groupname', groupBody({ id: 'g-bad', groupname: 'other' })],
    ['an id and another properties.groupname', groupBody({ id: 'g-bad', properties: { groupname: 'x' } })],
    ['two labels', groupBody({ id: 'g-bad', grouplabel: 'a', properties: { grouplabel: 'b' } })],
    ['no entity-type', { id: 'g-bad' }],
    ['another entity-type', { 'entity-type': 'user', id: 'g-bad' }],
    ['an unknown property', groupBody({ id: 'g-bad', properties: { nosuch: 1 } })],
    ['members as a property', groupBody({ id: 'g-bad', properties: { members: ['Administrator'] } })],
    ['a property of another type', groupBody({ id: 'g-bad', properties: { description: 1 } })],
    ['memberUsers that is no list', groupBody({ id: 'g-bad', memberUsers: 'Administrator' })],
    ['a member that is no text', groupBody({ id: 'g-bad', memberGroups: [1] })],
    ['itself as a member', groupBody({ id: 'g-bad', memberGroups: ['g-bad'] })],
    ['a NUL', groupBody({ id: 'g-\0' })],
    ['a name of 256 characters', groupBody({ id: 'g'.repeat(256) })],
  ])('answers 400 for %s, and creates nothing', async (_, body) => {
    const response = await server.request.post('/api/v1/group').send(body).expect(400);
    expect(response.body).toMatchObject(exception(400, expect.stringMatching(/./)));
    await server.request.get(atGroup('g-bad')).expect(404);
  });

  test.each(['memberUsers', 'memberGroups'])(
    'answers 500 when one of %s does not exist, and creates nothing',
    async (side) => {
      const known = side === 'memberUsers' ? 'Administrator' : 'members';
      const body = groupBody({ id: 'g-lost', [side]: [known, missingName] });
      const response = await server.request.post('/api/v1/group').send(body).expect(500);
      expect(response.body).toMatchObject(exception(500, expect.stringContaining(missingName)));
      await server.request.get(atGroup('g-lost')).expect(404);
    },
  );
});

describe.each(groupAddresses)('§4.4 GET %s', (_, at) => {
  test('answers 200 and the group entity', async () => {
    const response = await server.request.get(at('members')).expect(200);
    expect(response.body).toEqual({
      'entity-type': 'group',
      id: 'members',
      groupname: 'members',
      grouplabel: 'Members group',
      properties: {
        groupname: 'members',
        grouplabel: 'Members group',
        description: expect.any(String),
        tenantId: null,
      },
    });
    expect(statements(response)).toBeLessThanOrEqual(3);
  });

  test('supports the fetch properties of §10.3', async () => {
    const [user, inner] = [await postUser(server), await postGroup(server)];
    const id = await postGroup(server, { memberUsers: [user], memberGroups: [inner] });
    const outer = await postGroup(server, { memberGroups: [id] });
    const all = { memberUsers: [user], memberGroups: [inner], parentGroups: [outer] };
    for (const name of Object.keys(all) as Array<keyof typeof all>) {
      const { body } = await server.request.get(at(id)).set('fetch.group', name).expect(200);
      expect(body).toMatchObject({ [name]: all[name] });
      for (const other of Object.keys(all)) if (other !== name) expect(body).not.toHaveProperty(other);
    }
    const { body } = await server.request.get(at(id)).set(everySide).expect(200);
    expect(body).toMatchObject(all);
  });

  test('answers 404 when the group does not exist', async () => {
    const response = await server.request.get(at(missingName)).expect(404);
    expect(response.body).toMatchObject(exception(404, expect.stringContaining(missingName)));
  });
});

describe.each(groupAddresses)('§4.4 DELETE %s', (_, at) => {
  test('answers 204 without a body, removes the memberships and keeps the members', async () => {
    const [user, inner] = [await postUser(server), await postGroup(server)];
    const id = await postGroup(server, { memberUsers: [user], memberGroups: [inner] });
    const outer = await postGroup(server, { memberGroups: [id] });
    const response = await server.request.delete(at(id)).expect(204);
    expect(response.text).toBe('');
    await server.request.get(atGroup(id)).expect(404);
    expect(await groupsOf(server, user)).toEqual({ direct: [], all: [] });
    expect((await sidesOf(server, inner)).parentGroups).toEqual([]);
    expect((await sidesOf(server, outer)).memberGroups).toEqual([]);
  });

  test.each(['administrators', 'members', 'powerusers'])('answers 409 for %s', async (id) => {
    const { body } = await server.request.delete(at(id)).expect(409);
    expect(body.message).toBe(`The group ${id} cannot be deleted, because the server needs it.`);
    await server.request.get(atGroup(id)).expect(200);
  });

  test('answers 404 when the group does not exist or was deleted before', async () => {
    const id = await postGroup(server);
    await server.request.delete(at(id)).expect(204);
    for (const gone of [id, missingName]) {
      const response = await server.request.delete(at(gone)).expect(404);
      expect(response.body).toMatchObject(exception(404, expect.stringContaining(gone)));
    }
  });
});

describe('§4.4 /user/ID for the id of both a user and a group', () => {
  test('GET and DELETE address the user first, PUT depends on the entity-type', async () => {
    const id = await postUser(server);
    // As in databases in which both were created before that was refused.
    await server.database.prisma.group.create({ data: { id, properties: {} } });
    expect((await server.request.get(atUser(id)).expect(200)).body['entity-type']).toBe('user');
    const group = groupBody({ id, grouplabel: 'Label' });
    expect((await server.request.put(atUser(id)).send(group).expect(200)).body).toMatchObject({
      'entity-type': 'group',
      grouplabel: 'Label',
    });
    const user = userBody({ company: 'Acme' }, { id });
    expect((await server.request.put(atUser(id)).send(user).expect(200)).body).toMatchObject({
      'entity-type': 'user',
      properties: { company: 'Acme' },
    });
    await server.request.delete(atUser(id)).expect(204);
    expect((await server.request.get(atUser(id)).expect(200)).body['entity-type']).toBe('group');
    await server.request.delete(atUser(id)).expect(204);
    await server.request.get(atUser(id)).expect(404);
  });
});
