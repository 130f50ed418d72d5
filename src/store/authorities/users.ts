import { Conflict, Invalid } from '../../errors.ts';
import type { AuthorityRow } from '../../loaders/authorities.ts';
import type { Scope } from '../../scope.ts';
import { record } from '../audit.ts';
import { checkProperties, withoutUnset } from '../properties.ts';
import { changed } from './events.ts';
import { hold, requireSame } from './hold.ts';
import { setMemberships } from './memberships.ts';
import { requireEditor, requireMayTouch } from './rights.ts';
import { requireId, schemaOf } from './schemas.ts';
import { type GivenUser, passwordHash, readUser } from './user-fields.ts';

/** What a user is made from, or changed by; as JSON. */
export interface UserInput {
  /** In a change, when given, the id of the user; in a new one the same as the user name. */
  readonly id?: string | null | undefined;
  /** By name: `username`, `password` and `groups` among them. */
  readonly properties?: Readonly<Record<string, unknown>> | null | undefined;
}

/**
 * Creates a user (§4.3).
 * @throws Forbidden, Invalid, Unprocessable; Conflict when the name is taken, BadReference when a group is missing.
 */
export async function createUser(scope: Scope, input: UserInput): Promise<AuthorityRow> {
  requireEditor(scope.user);
  const given = readUser(scope, input.properties ?? {});
  const id = given.username ?? '';
  requireId('user', id);
  if (typeof input.id === 'string' && input.id !== id) {
    throw new Invalid(`id: "${input.id}" is not the username "${id}"`);
  }
  const properties = withoutUnset(given.properties);
  await checkProperties(scope, [schemaOf(scope.model, 'user')], properties);
  // The name of a group of administrators would get a user what is granted to them by that name.
  await requireMayTouch(scope, { users: [id], groups: [id] });

  const { prisma } = scope.db;
  if (await prisma.user.findUnique({ where: { id }, select: { id: true } })) {
    throw new Conflict(`user already exists: ${id}`);
  }
  const data = [{ id, properties, ...(await passwordHash(given.password)) }];
  const { count } = await prisma.user.createMany({ data, skipDuplicates: true });
  if (count === 0) throw new Conflict(`user already exists: ${id}`);
  if (given.groups) await setMemberships(scope, 'user', { member: id }, given.groups);
  await record(scope, [changed('user', 'created', id)]);
  await scope.db.announce('principals');
  return { id, properties };
}

/** @throws Invalid when the change would rename the user; Conflict when nobody could come in any more. */
function requirePossible({ chief }: Scope, id: string, { username, password }: GivenUser): void {
  if (username !== undefined && username !== id) {
    throw new Invalid(`username: "${username}" is not "${id}", and a user keeps the name`);
  }
  if (id === chief && password === null)
    throw new Conflict(`${id} is the administrator, and needs a password`);
}

/**
 * Changes what is given of a user; what is absent stays, null clears (§4.3).
 * @throws NotFound, Forbidden, Invalid, Unprocessable, Conflict; BadReference when the body names a missing user or
 * group.
 */
export async function updateUser(scope: Scope, id: string, input: UserInput): Promise<AuthorityRow> {
  requireEditor(scope.user);
  const before = await hold(scope.db, 'user', id, 'NO KEY UPDATE');
  await requireSame(scope.db, 'user', { addressed: id, named: input.id });
  await requireMayTouch(scope, { users: [id] });
  const given = readUser(scope, input.properties ?? {});
  requirePossible(scope, id, given);
  const properties = withoutUnset({ ...before.properties, ...given.properties });
  await checkProperties(scope, [schemaOf(scope.model, 'user')], properties, Object.keys(given.properties));

  const data = { properties, ...(await passwordHash(given.password)) };
  await scope.db.prisma.user.update({ where: { id }, data, select: { id: true } });
  if (given.groups) await setMemberships(scope, 'user', { member: id }, given.groups);
  await record(scope, [changed('user', 'modified', id)]);
  await scope.db.announce('principals');
  return { id, properties };
}

/**
 * Deletes a user and all memberships (§4.3).
 * @throws NotFound, Forbidden; Conflict for the administrator, without whom nobody could come in.
 */
export async function deleteUser(scope: Scope, id: string): Promise<string> {
  requireEditor(scope.user);
  await hold(scope.db, 'user', id, 'UPDATE');
  await requireMayTouch(scope, { users: [id] });
  if (id === scope.chief)
    throw new Conflict(`${id} is the administrator of this server and cannot be deleted`);
  await scope.db.prisma.user.delete({ where: { id }, select: { id: true } });
  await record(scope, [changed('user', 'deleted', id)]);
  await scope.db.announce('principals');
  return id;
}
