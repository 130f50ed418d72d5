import { describe, expect, test } from '@jest/globals';
import { exception } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import {
  atGroup,
  everySide,
  groupAddresses,
  groupBody,
  missingName,
  postGroup,
  postUser,
  sidesOf,
} from './authority-requests.ts';

const server = useServer();

describe.each(groupAddresses)('§4.4 PUT %s', (_, at) => {
  test('answers 200 and the changed group entity', async () => {
    const id = await postGroup(server, { grouplabel: 'Old' });
    const body = groupBody({ id, properties: { grouplabel: 'New', description: 'Changed' } });
    const response = await server.request.put(at(id)).send(body).expect(200);
    expect(response.body).toMatchObject({
      id,
      grouplabel: 'New',
      properties: { grouplabel: 'New', description: 'Changed' },
    });
    expect((await server.request.get(atGroup(id))).body).toEqual(response.body);
  });

  test('takes the id from any place of the body, or from the address alone', async () => {
    const id = await postGroup(server);
    const places = [
      { groupname: id },
      { id: '', groupname: id },
      { id: '', groupname: ' ', properties: { groupname: '' } },
      { id, groupname: '' },
      { properties: { groupname: id } },
      {},
    ];
    for (const [index, place] of places.entries()) {
      const body = groupBody({ ...place, grouplabel: String(index) });
      const { body: answer } = await server.request.put(at(id)).send(body).expect(200);
      expect(answer).toMatchObject({ id, groupname: id, grouplabel: String(index) });
    }
    await server.request
      .put(at(id))
      .send(groupBody({ groupname: missingName }))
      .expect(500);
  });

  test('answers 200 without properties, and changes nothing', async () => {
    const id = await postGroup(server, { grouplabel: 'Kept', memberUsers: ['Administrator'] });
    const before = (await server.request.get(atGroup(id)).set(everySide)).body;
    await server.request.put(at(id)).send(groupBody({ id })).expect(200);
    expect((await server.request.get(atGroup(id)).set(everySide)).body).toEqual(before);
  });

  test('answers 404 when the group of the path does not exist', async () => {
    for (const id of [missingName, 'members']) {
      const response = await server.request.put(at(missingName)).send(groupBody({ id })).expect(404);
      expect(response.body).toMatchObject(exception(404, expect.stringContaining(missingName)));
    }
    await server.request
      .put(at('Administrator'))
      .send(groupBody({ id: 'Administrator' }))
      .expect(404);
  });

  test('answers 500 when the group of the body does not exist, and changes nothing', async () => {
    const id = await postGroup(server, { grouplabel: 'Old' });
    const body = groupBody({ id: missingName, grouplabel: 'New' });
    const response = await server.request.put(at(id)).send(body).expect(500);
    expect(response.body).toMatchObject(exception(500, expect.stringContaining(missingName)));
    expect((await server.request.get(atGroup(id))).body.grouplabel).toBe('Old');
  });

  test('answers 500 when a member does not exist, and changes nothing', async () => {
    const id = await postGroup(server, { memberUsers: ['Administrator'] });
    for (const side of ['memberUsers', 'memberGroups']) {
      const body = groupBody({ id, grouplabel: 'New', memberUsers: [], [side]: [missingName] });
      const response = await server.request.put(at(id)).send(body).expect(500);
      expect(response.body.message).toContain(missingName);
    }
    expect((await server.request.get(atGroup(id))).body.grouplabel).toBeNull();
    expect((await sidesOf(server, id)).memberUsers).toEqual(['Administrator']);
  });

  test.each([
    ['the groupname of another group and no id', () => groupBody({ groupname: 'members' })],
    ['two groupnames', (id: string) => groupBody({ groupname: id, properties: { groupname: 'members' } })],
    ['the id of another group', () => groupBody({ id: 'members' })],
    ['another groupname', (id: string) => groupBody({ id, groupname: 'members' })],
    ['an unknown property', (id: string) => groupBody({ id, properties: { nosuch: 1 } })],
    ['two new labels', (id: string) => groupBody({ id, grouplabel: 'a', properties: { grouplabel: 'b' } })],
    ['itself as a member', (id: string) => groupBody({ id, memberGroups: [id] })],
    ['no entity-type', (id: string) => ({ id })],
    ['another entity-type', (id: string) => ({ 'entity-type': 'groups', id })],
  ])('answers 400 for %s', async (__, bodyOf) => {
    const id = await postGroup(server);
    const response = await server.request.put(at(id)).send(bodyOf(id)).expect(400);
    expect(response.body).toMatchObject(exception(400, expect.stringMatching(/./)));
  });

  test('keeps absent member lists and clears those sent empty', async () => {
    const [user, inner] = [await postUser(server), await postGroup(server)];
    const id = await postGroup(server, { memberUsers: [user], memberGroups: [inner] });
    const put = (more: Record<string, unknown>) =>
      server.request
        .put(at(id))
        .send(groupBody({ id, ...more }))
        .expect(200);
    await put({ memberUsers: [user, 'Administrator', user] });
    expect(await sidesOf(server, id)).toMatchObject({
      memberUsers: ['Administrator', user],
      memberGroups: [inner],
    });
    await put({ memberUsers: [] });
    expect(await sidesOf(server, id)).toMatchObject({ memberUsers: [], memberGroups: [inner] });
    await put({ memberGroups: [] });
    expect(await sidesOf(server, id)).toMatchObject({ memberUsers: [], memberGroups: [] });
  });

  test('stores the changed one of the two labels in the body', async () => {
    const id = await postGroup(server, { grouplabel: 'Old' });
    const put = async (grouplabel: string | null, inside: string | null) =>
      (
        await server.request
          .put(at(id))
          .send(groupBody({ id, grouplabel, properties: { grouplabel: inside } }))
          .expect(200)
      ).body.grouplabel;
    expect(await put('Old', 'New')).toBe('New');
    expect(await put('Newer', 'New')).toBe('Newer');
    expect(await put('Newer', null)).toBeNull();
  });

  test('accepts the entity that GET returned, and changes nothing', async () => {
    const user = await postUser(server);
    const id = await postGroup(server, { grouplabel: 'Label', memberUsers: [user] });
    await postGroup(server, { memberGroups: [id] });
    const { body } = await server.request.get(at(id)).set(everySide).expect(200);
    const response = await server.request.put(at(id)).set(everySide).send(body).expect(200);
    expect(response.body).toEqual(body);
  });
});
