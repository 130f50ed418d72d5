import supertest from 'supertest';
import { hashPassword } from '../../src/store/passwords.ts';
import type { TestServer } from './server.ts';

const password = 'secret';
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

/** Requests as such a user. */
export function as({ app }: Pick<TestServer, 'app'>, id: string): ReturnType<typeof supertest.agent> {
  const agent = supertest.agent(app);
  agent.auth(id, password);
  return agent;
}

/** Deletes a user, as an administrator would. */
export async function deleteUser({ database }: Pick<TestServer, 'database'>, id: string): Promise<void> {
  await database.transaction(30, async ({ prisma, announce }) => {
    await prisma.user.delete({ where: { id } });
    await announce('principals');
  });
}
