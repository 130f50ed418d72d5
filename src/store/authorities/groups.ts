import { Conflict } from '../../errors.ts';
import type { AuthorityRow } from '../../loaders/authorities/authorities.ts';
import { idOrNone } from '../../model/names.ts';
import type { Scope } from '../../scope.ts';
import { administrators, powerUsers } from '../../security/principal.ts';
import { recordEvents } from '../audit/audit.ts';
import { differingProperties } from '../documents/dublin-core.ts';
import { checkProperties, withoutUnset } from '../documents/properties.ts';
import { lockNesting } from '../row-locks/advisory-locks.ts';
import { lockAuthority } from '../row-locks/lock-authorities.ts';
import { authorityEvent } from './events.ts';
import { type GroupJson, readGroup } from './group-fields.ts';
import { setMemberships } from './memberships.ts';
import { requireEditor, requireMayChange } from './rights.ts';
import { claimId, requireSameAuthority } from './same-authority.ts';
import { authoritySchema, newAuthorityId } from './schemas.ts';

async function setMembers(scope: Scope, group: string, input: GroupJson): Promise<void> {
  if (input.memberUsers) await setMemberships(scope, 'user', { group }, input.memberUsers);
  if (input.memberGroups) await setMemberships(scope, 'group', { group }, input.memberGroups);
}

/**
 * §4.4
 * @throws Forbidden, Invalid, Unprocessable; Conflict for a taken id; BadReference for a missing member.
 */
export async function createGroup(scope: Scope, input: GroupJson): Promise<AuthorityRow> {
  requireEditor(scope.user);
  const { name = '', ...given } = readGroup(scope, input);
  const id = newAuthorityId('group', name);
  const properties = withoutUnset(given.properties);
  await checkProperties(scope, [authoritySchema(scope.model, 'group')], properties);
  // ACEs name users and groups alike: members of a group called like an administrator would get that user's
  // permissions.
  await requireMayChange(scope, { users: [id], groups: [id] });

  const claimed = await claimId(scope.db, 'group', id);
  if (input.memberGroups?.length) await lockNesting(scope.db);
  const data = [{ ...claimed, properties }];
  await scope.db.prisma.group.createMany({ data });
  await setMembers(scope, id, input);
  await recordEvents(scope, [authorityEvent('group', 'created', id)]);
  await scope.db.announce('principals');
  return { id, properties };
}

/**
 * Absent fields stay, null clears (§4.4).
 * @throws NotFound, Forbidden, Invalid, Unprocessable; BadReference when the body names a missing group or
 * member.
 */
export async function updateGroup(scope: Scope, id: string, input: GroupJson): Promise<AuthorityRow> {
  requireEditor(scope.user);
  if (input.memberGroups) await lockNesting(scope.db);
  const before = await lockAuthority(scope.db, 'group', id, 'NO KEY UPDATE');
  const named = [input.id, input.groupname, input.properties?.groupname].map(idOrNone).find(Boolean);
  await requireSameAuthority(scope.db, 'group', { addressed: id, named });
  await requireMayChange(scope, { groups: [id] });
  const given = readGroup(scope, { ...input, id }, before.properties);
  const properties = withoutUnset({ ...before.properties, ...given.properties });
  await checkProperties(scope, [authoritySchema(scope.model, 'group')], properties, {
    xpaths: Object.keys(differingProperties(before.properties, given.properties)),
    stored: before.properties,
  });
  await scope.db.prisma.group.update({ where: { id }, data: { properties }, select: { id: true } });
  await setMembers(scope, id, input);
  await recordEvents(scope, [authorityEvent('group', 'modified', id)]);
  await scope.db.announce('principals');
  return { id, properties };
}

/** Groups that permissions of the server itself name. */
const neededGroups: readonly string[] = [administrators, 'members', powerUsers];

/** Deletes a group and its memberships (§4.4). @throws NotFound, Forbidden; Conflict for groups that the server needs */
export async function deleteGroup(scope: Scope, id: string): Promise<string> {
  requireEditor(scope.user);
  await lockAuthority(scope.db, 'group', id, 'UPDATE');
  await requireMayChange(scope, { groups: [id] });
  if (neededGroups.includes(id))
    throw new Conflict(`The group ${id} cannot be deleted: the server needs it.`);
  await scope.db.prisma.group.delete({ where: { id }, select: { id: true } });
  await recordEvents(scope, [authorityEvent('group', 'deleted', id)]);
  await scope.db.announce('principals');
  return id;
}
