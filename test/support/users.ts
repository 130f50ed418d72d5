import { beforeAll } from '@jest/globals';
import { hashPassword } from '../../src/store/authorities/passwords.ts';
import { requestsAs, type TestServer } from './server.ts';

/** The password of every user of tests. */
export const password = 'secret';
let hash: Promise<string> | undefined;

/** A user with a password, in these groups and in no other. */
export async function createUser(
  { database }: Pick<TestServer, 'database'>,
  id: string,
  groups: readonly string[] = [],
): Promise<string> {
  hash ??= hashPassword(password);
  await database.prisma.user.create({ data: { id, passwordHash: await hash } });
  const data = groups.map((groupId) => ({ memberId: id, groupId }));
  await database.prisma.userMembership.createMany({ data });
  return id;
}

/** A group, in these other groups. */
export async function createGroup(
  { database }: Pick<TestServer, 'database'>,
  id: string,
  parents: readonly string[] = [],
): Promise<string> {
  await database.prisma.group.create({ data: { id } });
  const data = parents.map((groupId) => ({ memberId: id, groupId }));
  await database.prisma.groupMembership.createMany({ data });
  return id;
}

/** Requests as such a user; the server may start later. */
export const as = (server: Pick<TestServer, 'http'>, id: string): TestServer['request'] =>
  requestsAs(() => server.http, id, password);

/** A user, in these groups and in no other, for all tests that share the server; returns requests as this user. */
export function useUser(
  server: TestServer,
  id: string,
  groups: readonly string[] = [],
): TestServer['request'] {
  beforeAll(() => createUser(server, id, groups));
  return as(server, id);
}

/** Users in no group, for all tests that share the server. */
export function useUsers(server: TestServer, ...ids: readonly string[]): void {
  for (const id of ids) beforeAll(() => createUser(server, id));
}

/** Deletes a user, as an administrator would. */
export async function deleteUser({ database }: Pick<TestServer, 'database'>, id: string): Promise<void> {
  await database.transaction(30, async ({ prisma, announce }) => {
    await prisma.user.delete({ where: { id } });
    await announce('principals');
  });
}
