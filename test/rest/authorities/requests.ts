import { expect } from '@jest/globals';
import type supertest from 'supertest';
import type { TestServer } from '../../support/server.ts';

export { exception } from '../documents/requests.ts';

/** Somebody or something that nobody has created. */
export const nobody = 'no such one';

/** The address of a user, with what comes below. */
export const userAt = (id: string, below = ''): string => `/api/v1/user/${encodeURIComponent(id)}${below}`;

/** The address of a group, with what comes below. */
export const groupAt = (id: string, below = ''): string => `/api/v1/group/${encodeURIComponent(id)}${below}`;

/** A user entity as a body. */
export const userBody = (
  properties: Record<string, unknown>,
  more: Record<string, unknown> = {},
): Record<string, unknown> => ({ 'entity-type': 'user', ...more, properties });

/** A group entity as a body. */
export const groupBody = (more: Record<string, unknown>): Record<string, unknown> => ({
  'entity-type': 'group',
  ...more,
});

/** The header that asks for everything that a group has. */
export const everySide = { 'fetch.group': 'memberUsers,memberGroups,parentGroups' };

let count = 0;

/** A name that nobody has yet. */
export function newId(prefix = 'a'): string {
  count += 1;
  return `${prefix}-${count}`;
}

/** Creates a user, whose password is the user name; answers the name. */
export async function createUser(
  { request }: Pick<TestServer, 'request'>,
  properties: Record<string, unknown> = {},
): Promise<string> {
  const username = String(properties.username ?? newId('user'));
  const body = userBody({ username, password: username, ...properties });
  await request.post('/api/v1/user').send(body).expect(201);
  return username;
}

/** Creates a group; answers its name. */
export async function createGroup(
  { request }: Pick<TestServer, 'request'>,
  more: Record<string, unknown> = {},
): Promise<string> {
  const id = String(more.id ?? newId('group'));
  await request
    .post('/api/v1/group')
    .send(groupBody({ id, ...more }))
    .expect(201);
  return id;
}

/** What a group answers when everything is asked for. */
export async function sidesOf(
  { request }: Pick<TestServer, 'request'>,
  id: string,
): Promise<{ memberUsers: string[]; memberGroups: string[]; parentGroups: string[] }> {
  const { body } = await request.get(groupAt(id)).set(everySide).expect(200);
  const { memberUsers, memberGroups, parentGroups } = body;
  return { memberUsers, memberGroups, parentGroups };
}

/** The groups that a user shows: the own ones, and all. */
export async function groupsOf(
  { request }: Pick<TestServer, 'request'>,
  id: string,
): Promise<{ direct: string[]; all: string[] }> {
  const { body } = await request.get(userAt(id)).expect(200);
  const all = (body.extendedGroups as Array<{ name: string }>).map(({ name }) => name);
  expect(body.properties.groups).toEqual(expect.any(Array));
  return { direct: body.properties.groups, all };
}

type Verb = 'get' | 'post' | 'put' | 'delete';

/** Sends a request as a user whose password is the user name. */
export const as =
  ({ anonymous }: Pick<TestServer, 'anonymous'>, id: string) =>
  (verb: Verb, address: string): supertest.Test =>
    anonymous[verb](address).auth(id, id);
