import { Conflict } from '../../errors.ts';
import type { AuthorityRow } from '../../loaders/authorities.ts';
import type { Scope } from '../../scope.ts';
import { record } from '../audit.ts';
import { checkProperties, withoutUnset } from '../properties.ts';
import { changed } from './events.ts';
import { type GroupInput, readGroup } from './group-fields.ts';
import { hold, requireSame } from './hold.ts';
import { setMemberships } from './memberships.ts';
import { awaitNesting } from './nesting.ts';
import { requireEditor, requireMayTouch } from './rights.ts';
import { requireId, schemaOf } from './schemas.ts';

async function setMembers(scope: Scope, group: string, input: GroupInput): Promise<void> {
  if (input.memberUsers) await setMemberships(scope, 'user', { group }, input.memberUsers);
  if (input.memberGroups) await setMemberships(scope, 'group', { group }, input.memberGroups);
}

/**
 * Creates a group (§4.4).
 * @throws Forbidden, Invalid, Unprocessable; Conflict when the name is taken, BadReference when a member is missing.
 */
export async function createGroup(scope: Scope, input: GroupInput): Promise<AuthorityRow> {
  requireEditor(scope.user);
  const { name: id = '', ...given } = readGroup(scope, input);
  requireId('group', id);
  const properties = withoutUnset(given.properties);
  await checkProperties(scope, [schemaOf(scope.model, 'group')], properties);
  // The name of an administrator would get its members what is granted to that name.
  await requireMayTouch(scope, { users: [id], groups: [id] });

  if (input.memberGroups?.length) await awaitNesting(scope.db);
  const data = [{ id, properties }];
  const { count } = await scope.db.prisma.group.createMany({ data, skipDuplicates: true });
  if (count === 0) throw new Conflict(`group already exists: ${id}`);
  await setMembers(scope, id, input);
  await record(scope, [changed('group', 'created', id)]);
  await scope.db.announce('principals');
  return { id, properties };
}

/**
 * Changes what is given of a group; what is absent stays, null clears (§4.4).
 * @throws NotFound, Forbidden, Invalid, Unprocessable; BadReference when the body names a missing group or member.
 */
export async function updateGroup(scope: Scope, id: string, input: GroupInput): Promise<AuthorityRow> {
  requireEditor(scope.user);
  if (input.memberGroups) await awaitNesting(scope.db);
  const before = await hold(scope.db, 'group', id, 'NO KEY UPDATE');
  await requireSame(scope.db, 'group', { addressed: id, named: input.id });
  await requireMayTouch(scope, { groups: [id] });
  const given = readGroup(scope, { ...input, id }, before.properties);
  const properties = withoutUnset({ ...before.properties, ...given.properties });
  await checkProperties(scope, [schemaOf(scope.model, 'group')], properties, Object.keys(given.properties));
  await scope.db.prisma.group.update({ where: { id }, data: { properties }, select: { id: true } });
  await setMembers(scope, id, input);
  await record(scope, [changed('group', 'modified', id)]);
  await scope.db.announce('principals');
  return { id, properties };
}

/** Deletes a group and all memberships, not its members (§4.4). @throws NotFound, Forbidden */
export async function deleteGroup(scope: Scope, id: string): Promise<string> {
  requireEditor(scope.user);
  await hold(scope.db, 'group', id, 'UPDATE');
  await requireMayTouch(scope, { groups: [id] });
  await scope.db.prisma.group.delete({ where: { id }, select: { id: true } });
  await record(scope, [changed('group', 'deleted', id)]);
  await scope.db.announce('principals');
  return id;
}
