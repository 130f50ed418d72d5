import { Forbidden } from '../../errors.ts';
import type { AuthorityScope } from '../../scope.ts';
import { managedGroups } from '../../security/identity-rules.ts';

/**
 * Checks that no property of a user comes from an identity provider, which would overwrite it at the next sign-in.
 * @throws Forbidden that names the property and its origin
 */
export async function requireOwnProperties(
  { db, services }: AuthorityScope,
  userId: string,
  names: readonly string[],
): Promise<void> {
  const providers = services.identityProviders.filter(({ users }) =>
    names.some((name) => Object.hasOwn(users.properties, name)),
  );
  if (providers.length === 0) return;
  const identity = await db.prisma.identity.findFirst({
    where: { userId, provider: { in: providers.map(({ name }) => name) } },
  });
  const provider = providers.find(({ name }) => name === identity?.provider);
  const property = names.find((name) => provider && Object.hasOwn(provider.users.properties, name));
  if (provider)
    throw new Forbidden(
      `${property}: the value for ${userId} comes from ${provider.label} and cannot be changed here.`,
    );
}

/**
 * Checks that no membership comes from an identity provider.
 * @throws Forbidden that names the membership and its origin
 */
export async function requireOwnMemberships(
  { db, services }: AuthorityScope,
  { users, groups }: { readonly users: readonly string[]; readonly groups: readonly string[] },
): Promise<void> {
  const providers = services.identityProviders.filter((provider) =>
    managedGroups(provider.users).some((group) => groups.includes(group)),
  );
  if (providers.length === 0 || users.length === 0) return;
  const identity = await db.prisma.identity.findFirst({
    where: { userId: { in: [...users] }, provider: { in: providers.map(({ name }) => name) } },
  });
  const provider = providers.find(({ name }) => name === identity?.provider);
  if (!provider) return;
  const group = managedGroups(provider.users).find((each) => groups.includes(each));
  throw new Forbidden(
    `The membership of ${identity?.userId} in ${group} comes from ${provider.label} and cannot be changed here.`,
  );
}
