import { beforeAll } from '@jest/globals';
import { hashPassword } from '../../src/store/authorities/passwords.ts';
import { requestsAs, type TestServer } from './server.ts';

/** The password of every user of tests. */
export const password = 'secret';
let hash: Promise<string> | undefined;

/** Creates a user with the password of all test users, who is a member of exactly these groups. */
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

/** Creates a group, which is a member of the groups `parents`. */
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

/** Requests as a user that a test has created; the server may start later. */
export const as = (server: Pick<TestServer, 'http'>, id: string): TestServer['request'] =>
  requestsAs(() => server.http, id, password);

/** Creates a user before the tests of a server, as a member of exactly these groups. @returns requests as this user */
export function useUser(
  server: TestServer,
  id: string,
  groups: readonly string[] = [],
): TestServer['request'] {
  beforeAll(() => createUser(server, id, groups));
  return as(server, id);
}

/** Creates users without groups before the tests of a server. */
export function useUsers(server: TestServer, ...ids: readonly string[]): void {
  for (const id of ids) beforeAll(() => createUser(server, id));
}

/** Deletes a user and announces it to other processes, like the request of an administrator. */
export async function deleteUser({ database }: Pick<TestServer, 'database'>, id: string): Promise<void> {
  await database.transaction(30, async ({ prisma, announce }) => {
    await prisma.user.delete({ where: { id } });
    await announce('principals');
  });
}
