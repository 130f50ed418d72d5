import { beforeAll, describe, expect, test } from '@jest/globals';
import { atUser, postUser } from '../rest/authorities/authority-requests.ts';
import { createDocument } from '../support/documents.ts';
import { statements, useServer } from '../support/server.ts';
import { as } from '../support/users.ts';

const server = useServer();
beforeAll(async () => {
  await createDocument(server, {
    parent: '/default-domain',
    type: 'UserWorkspacesRoot',
    name: 'UserWorkspaces',
  });
});

const asking = { 'enrichers-user': 'userprofile' };
const empty = { avatar: null, birthdate: null, phonenumber: null, gender: null, locale: null };

/** A user with a profile, in the folder that belongs to the name. */
async function withProfile(properties: Record<string, unknown>, username?: string, folder = username) {
  const id = await postUser(server, username === undefined ? {} : { username });
  const workspace = await createDocument(server, {
    parent: '/default-domain/UserWorkspaces',
    type: 'Workspace',
    name: folder ?? id,
  });
  const profile = await createDocument(server, {
    parent: workspace.path,
    type: 'UserProfile',
    name: 'profile',
    properties,
  });
  return { id, profile };
}

describe('§9 enrichers.user: userprofile', () => {
  test('adds exactly five keys, all null without a profile', async () => {
    const plain = await server.request.get(atUser('Administrator')).expect(200);
    const { body } = await server.request.get(atUser('Administrator')).set(asking).expect(200);
    expect(body).toEqual({ ...plain.body, contextParameters: { userprofile: empty } });
    expect(plain.body).not.toHaveProperty('contextParameters');
  });

  test.each([
    ['enrichers.user', {}],
    ['X-NXenrichers.user', {}],
    ['enrichers-user', { Prefer: 'handling=strict' }],
  ])('is requested by the header %s', async (name, more) => {
    const { body } = await server.request.get('/api/v1/me').set({ [name]: 'userprofile', ...more });
    expect(body.contextParameters).toEqual({ userprofile: empty });
  });

  test('presents the properties of the profile', async () => {
    const { id, profile } = await withProfile({
      'userprofile:birthdate': '1970-01-02',
      'userprofile:phonenumber': '+1 2',
      'userprofile:gender': true,
      'userprofile:locale': 'fr',
      'userprofile:avatar': { content: 'picture', name: 'me.png' },
    });
    const { body } = await server.request.get(atUser(id)).set(asking).expect(200);
    expect(body.contextParameters).toEqual({
      userprofile: {
        avatar: expect.stringContaining(`/id/${profile.uid}/@blob/userprofile:avatar`),
        birthdate: '1970-01-02T00:00:00.000Z',
        phonenumber: '+1 2',
        gender: true,
        locale: 'fr',
      },
    });
    const address = new URL(body.contextParameters.userprofile.avatar);
    const picture = await server.request.get(address.pathname + address.search).expect(200);
    expect(picture.text).toBe('picture');
  });

  test('finds the workspace of a user name with reserved characters', async () => {
    const profile = { 'userprofile:locale': 'de' };
    const { id } = await withProfile(profile, 'a/b@c?~', 'a~2fb~40c~3f~7e');
    const { body } = await server.request.get(atUser(id)).set(asking).expect(200);
    expect(body.contextParameters.userprofile).toEqual({ ...empty, locale: 'de' });
  });

  test('is empty when the caller cannot read the profile', async () => {
    const { id } = await withProfile({ 'userprofile:phonenumber': 'secret' });
    const caller = as(server, await postUser(server));
    const { body } = await caller.get(atUser(id)).set(asking).expect(200);
    expect(body.contextParameters).toEqual({ userprofile: empty });
  });

  test('costs one statement more, for any number of users', async () => {
    const cost = async (address: string, headers: Record<string, string> = {}) => {
      await server.request.get('/api/v1/me').expect(200);
      return statements(await server.request.get(`/api/v1${address}`).set(headers).expect(200));
    };
    for (const _ of [1, 2, 3]) await withProfile({ 'userprofile:locale': 'de' });
    const one = '/user/search?q=*&pageSize=1';
    const all = '/user/search?q=*';
    expect(await cost(all, asking)).toBe((await cost(one)) + 1);
    const { body } = await server.request.get(`/api/v1${all}`).set(asking).expect(200);
    for (const entry of body.entries) {
      expect(Object.keys(entry.contextParameters.userprofile)).toEqual(Object.keys(empty));
    }
  });
});
