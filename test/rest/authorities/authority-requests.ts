import { expect } from '@jest/globals';
import type { TestServer } from '../../support/server.ts';
import { password } from '../../support/users.ts';

/** The name of a user or group that does not exist. */
export const missingName = 'no such one';

export const atUser = (id: string, below = ''): string => `/api/v1/user/${encodeURIComponent(id)}${below}`;

export const atGroup = (id: string, below = ''): string => `/api/v1/group/${encodeURIComponent(id)}${below}`;

export const userBody = (
  properties: Record<string, unknown>,
  more: Record<string, unknown> = {},
): Record<string, unknown> => ({ 'entity-type': 'user', ...more, properties });

export const groupBody = (more: Record<string, unknown>): Record<string, unknown> => ({
  'entity-type': 'group',
  ...more,
});

/** The header that fetches all members and parents of a group. */
export const everySide = { 'fetch.group': 'memberUsers,memberGroups,parentGroups' };

let count = 0;

/** Returns a name that is not used yet. */
export function newName(prefix = 'a'): string {
  count += 1;
  return `${prefix}-${count}`;
}

/** Creates a user over REST and returns the name. */
export async function postUser(
  { request }: Pick<TestServer, 'request'>,
  properties: Record<string, unknown> = {},
): Promise<string> {
  const username = String(properties.username ?? newName('user'));
  const body = userBody({ username, password, ...properties });
  await request.post('/api/v1/user').send(body).expect(201);
  return username;
}

/** Creates a group over REST and returns its id. */
export async function postGroup(
  { request }: Pick<TestServer, 'request'>,
  more: Record<string, unknown> = {},
): Promise<string> {
  const id = String(more.id ?? newName('group'));
  await request
    .post('/api/v1/group')
    .send(groupBody({ id, ...more }))
    .expect(201);
  return id;
}

/** Fetches the members and parents of a group. */
export async function sidesOf(
  { request }: Pick<TestServer, 'request'>,
  id: string,
): Promise<{ memberUsers: string[]; memberGroups: string[]; parentGroups: string[] }> {
  const { body } = await request.get(atGroup(id)).set(everySide).expect(200);
  const { memberUsers, memberGroups, parentGroups } = body;
  return { memberUsers, memberGroups, parentGroups };
}

/** Fetches the groups of a user: the direct ones, and all with the outer ones. */
export async function groupsOf(
  { request }: Pick<TestServer, 'request'>,
  id: string,
): Promise<{ direct: string[]; all: string[] }> {
  const { body } = await request.get(atUser(id)).expect(200);
  const all = (body.extendedGroups as Array<{ name: string }>).map(({ name }) => name);
  expect(body.properties.groups).toEqual(expect.any(Array));
  return { direct: body.properties.groups, all };
}

/** The two addresses of a group in the contract. */
export const groupAddresses = [
  ['/user/GROUP_ID', atUser],
  ['/group/GROUP_ID', atGroup],
] as const;
