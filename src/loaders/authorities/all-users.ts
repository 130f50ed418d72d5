import type { Client } from '../../db/database.ts';
import type { StoredProperties } from '../../model/values/stored.ts';

/** A user as listed by the command line. */
interface ListedUser {
  readonly id: string;
  readonly properties: StoredProperties;
  readonly hasPassword: boolean;
  /** The ids of the groups of which the user is a direct member. */
  readonly groups: readonly string[];
}

const usersPerPage = 500;

const groups = { select: { groupId: true }, orderBy: { groupId: 'asc' } } as const;
const select = { id: true, properties: true, passwordHash: true, groups } as const;

/** Reads all users in batches, ordered by id, without checking permissions. This is used by the command line. */
export async function* allUsers({ prisma }: Pick<Client, 'prisma'>): AsyncGenerator<ListedUser[]> {
  const pageAfter = (id: string) =>
    prisma.user.findMany({ where: { id: { gt: id } }, select, orderBy: { id: 'asc' }, take: usersPerPage });
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: Awaited<ReturnType<typeof pageAfter>> = await pageAfter(after);
    yield page.map(({ id, properties, passwordHash, groups }) => ({
      id,
      properties: properties as StoredProperties,
      hasPassword: passwordHash !== null,
      groups: groups.map(({ groupId }) => groupId),
    }));
    after = page.length < usersPerPage ? undefined : page.at(-1)?.id;
  }
}
