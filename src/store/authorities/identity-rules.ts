import type { Client } from '../../db/database.ts';
import type { Schema } from '../../model/model.ts';
import type { StoredProperties } from '../../model/values/stored.ts';
import type { AuthorityScope } from '../../scope.ts';
import { type MappedUser, managedGroups } from '../../security/identity-rules.ts';
import type { UserRules } from '../../security/identity-settings.ts';
import { differingProperties } from '../documents/dublin-core.ts';
import { readFields } from '../documents/read-fields.ts';
import { lockAuthority } from '../row-locks/lock-authorities.ts';
import { authoritySchema } from './schemas.ts';
import { updateUser } from './users.ts';

/** Returns the groups that exist. A rule can name a group that has been deleted, or is created later. */
export async function existingGroups(
  { prisma }: Pick<Client, 'prisma'>,
  groups: readonly string[],
): Promise<string[]> {
  const found = await prisma.group.findMany({ where: { id: { in: [...groups] } }, select: { id: true } });
  return found.map(({ id }) => id);
}

/** Takes the first value of a claim with several values if the property can have only one. */
export const fittingProperties = (
  schema: Schema,
  properties: MappedUser['properties'],
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [
      name,
      Array.isArray(value) && !schema.properties.get(name)?.many ? (value[0] ?? null) : value,
    ]),
  );

/** The present state of a user: the stored properties, and the groups of which the user is a direct member. */
export interface RuledUser {
  readonly properties: StoredProperties;
  readonly groups: readonly string[];
}

/**
 * Returns the fields of a user that the rules of a provider change, in the groups and properties that they name;
 * undefined if nothing changes.
 * @param existing the mapped groups that exist
 * @throws Invalid if a claim does not fit its property
 */
export function ruledChange(
  schema: Schema,
  { rules, mapped, existing }: { rules: UserRules; mapped: MappedUser; existing: ReadonlySet<string> },
  before: RuledUser,
): Record<string, unknown> | undefined {
  const input = fittingProperties(schema, mapped.properties);
  const changed = Object.keys(differingProperties(before.properties, readFields(schema, input)));
  const managed = new Set(managedGroups(rules));
  const after = new Set([
    ...before.groups.filter((group) => !managed.has(group)),
    ...mapped.groups.filter((group) => existing.has(group)),
  ]);
  const isMoved = before.groups.length !== after.size || before.groups.some((group) => !after.has(group));
  if (!isMoved && changed.length === 0) return undefined;
  return {
    ...Object.fromEntries(changed.map((name) => [name, input[name] ?? null])),
    ...(isMoved && { groups: [...after] }),
  };
}

/** Applies the rules of a provider to an existing user. */
export async function applyRules(
  scope: AuthorityScope,
  userId: string,
  { rules, mapped }: { readonly rules: UserRules; readonly mapped: MappedUser },
): Promise<void> {
  const { properties } = await lockAuthority(scope.db, 'user', userId, 'NO KEY UPDATE');
  const memberships = await scope.db.prisma.userMembership.findMany({ where: { memberId: userId } });
  const existing = new Set(await existingGroups(scope.db, mapped.groups));
  const change = ruledChange(
    authoritySchema(scope.services.model, 'user'),
    { rules, mapped, existing },
    { properties, groups: memberships.map(({ groupId }) => groupId) },
  );
  if (change) await updateUser(scope, userId, { properties: change });
}
