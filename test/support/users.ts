import { beforeAll } from '@jest/globals';
import { hashPassword } from '../../src/store/authorities/passwords.ts';
import { requestsAs, type TestServer } from './server.ts';

/** The password of every test user. */
export const password = 'secret';
let hash: Promise<string> | undefined;

/** Creates a user whose groups are exactly the given ones. All test users have the same password. */
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

/** Creates a group that is a member of the groups in `parents`. */
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

/** Sends requests as a user whom a test has created. The server can be started after this call. */
export const as = (server: Pick<TestServer, 'http'>, id: string): TestServer['request'] =>
  requestsAs(() => server.http, id, password);

/**
 * Creates a user as a member of exactly the given groups, before the tests of a server run. @returns an object that
 * sends requests as this user
 */
export function useUser(
  server: TestServer,
  id: string,
  groups: readonly string[] = [],
): TestServer['request'] {
  beforeAll(() => createUser(server, id, groups));
  return as(server, id);
}

/** Creates users without groups before the tests of a server run. */
export function useUsers(server: TestServer, ...ids: readonly string[]): void {
  for (const id of ids) beforeAll(() => createUser(server, id));
}

/** Deletes a user and notifies other processes, as an administrator's request would. */
export async function deleteUser({ database }: Pick<TestServer, 'database'>, id: string): Promise<void> {
  await database.transaction(30, async ({ prisma, announce }) => {
    await prisma.user.delete({ where: { id } });
    await announce('principals');
  });
}
