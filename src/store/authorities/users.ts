import { Conflict, Invalid } from '../../errors.ts';
import type { AuthorityRow } from '../../loaders/authorities/authorities.ts';
import { typoKeysOfNames } from '../../loaders/authorities/similar-users.ts';
import { idOrNone, visibleName } from '../../model/names.ts';
import type { StoredProperties, StoredValue } from '../../model/values/stored.ts';
import type { AuthorityScope } from '../../scope.ts';
import { recordEvents } from '../audit/audit.ts';
import { differingProperties } from '../documents/dublin-core.ts';
import { checkProperties, withoutUnset } from '../documents/properties.ts';
import { readFields } from '../documents/read-fields.ts';
import { lockAuthority } from '../row-locks/lock-authorities.ts';
import { endLocked } from '../tokens/credentials.ts';
import { authorityEvent } from './events.ts';
import { requireOwnProperties } from './managed-properties.ts';
import { setMemberships } from './memberships.ts';
import { requireGoodPassword } from './password-rules.ts';
import { newPasswordHash } from './passwords.ts';
import { requireEditor, requireMayChange } from './rights.ts';
import { claimId, requireSameAuthority } from './same-authority.ts';
import { authoritySchema, newAuthorityId } from './schemas.ts';

/** The fields parsed from a request body that describes a user. */
interface UserFields {
  readonly username: string | undefined;
  readonly password: string | null | undefined;
  readonly groups: readonly string[] | undefined;
  readonly properties: StoredProperties;
}

const text = (value: StoredValue | undefined) => value as string | null | undefined;
const list = (value: StoredValue | undefined) => value as readonly string[] | undefined;

/**
 * Parses a request body that describes a user.
 * @throws Invalid for an unknown property or a value of the wrong type
 */
function readUser(
  { services: { model } }: AuthorityScope,
  json: Readonly<Record<string, unknown>>,
): UserFields {
  const { username, password, groups, ...properties } = readFields(authoritySchema(model, 'user'), json);
  if (password === '') throw new Invalid('password must not be empty');
  return {
    username: idOrNone(username),
    password: text(password),
    groups: list(groups),
    properties,
  };
}

/**
 * Returns the change to a user's password hash; empty if the password does not change. No connection or lock is held
 * while the hash is computed.
 * @throws Invalid if the password does not follow the rules
 */
async function passwordUpdate(
  { db, services: { config }, options: { language } }: AuthorityScope,
  password: UserFields['password'],
  owner: AuthorityRow,
): Promise<{ passwordHash?: string | null }> {
  if (password === undefined) return {};
  if (password !== null) requireGoodPassword(config, password, owner, { field: 'password', language });
  return { passwordHash: password === null ? null : await newPasswordHash(db, password) };
}

/** A user as sent by the client in a request body. */
export interface UserJson {
  /** If set, it must equal the user name. */
  readonly id?: string | null | undefined;
  /** Field values by field name without a prefix, including `username`, `password` and `groups`. */
  readonly properties?: Readonly<Record<string, unknown>> | null | undefined;
}

/**
 * Creates a user (§4.3).
 * @throws Forbidden, Invalid, Unprocessable; Conflict if the name is taken; BadReference if a group does not
 * exist
 */
export async function createUser(scope: AuthorityScope, input: UserJson): Promise<AuthorityRow> {
  requireEditor(scope.user);
  const user = readUser(scope, input.properties ?? {});
  const id = newAuthorityId('user', user.username ?? '');
  const named = visibleName(idOrNone(input.id) ?? id, 'id');
  if (named !== id) throw new Invalid(`id: "${named}" differs from the username "${id}"`);
  const properties = withoutUnset(user.properties);
  await checkProperties(scope, [authoritySchema(scope.services.model, 'user')], properties);
  // ACEs do not distinguish users from groups: a user with the same name as a group of administrators would get that
  // group's permissions.
  await requireMayChange(scope, { users: [id], groups: [id] });

  const { prisma } = scope.db;
  const claimed = await claimId(scope.db, 'user', id);
  const former = await prisma.formerUser.findUnique({ where: { id }, select: { deletedAt: true } });
  const ended = former && { credentialsEndedAt: former.deletedAt };
  const password = await passwordUpdate(scope, user.password, { id, properties });
  const typoKeys = typoKeysOfNames({ id, properties });
  await prisma.user.createMany({ data: [{ ...claimed, properties, typoKeys, ...password, ...ended }] });
  if (user.groups) await setMemberships(scope, 'user', { member: id }, user.groups);
  await recordEvents(scope, [authorityEvent('user', 'created', id)]);
  await scope.db.announce('principals');
  return { id, properties };
}

/**
 * Checks that a change neither renames the user nor prevents the administrator from logging in.
 * @throws Invalid for a new user name; Conflict if the administrator could no longer log in
 */
function requirePossible({ services }: AuthorityScope, id: string, { username, password }: UserFields): void {
  if (username !== undefined && username !== id) {
    throw new Invalid(`username: "${username}" differs from "${id}". Users cannot be renamed.`);
  }
  if (id === services.config.ADMIN_USERNAME && password === null)
    throw new Conflict(`${id} is the administrator of this server and needs a password.`);
}

/**
 * Changes a user. Absent fields remain unchanged; null clears a field (§4.3). A new password revokes all of the user's
 * credentials except those used for this request. Fields that come from an identity provider cannot be changed.
 * @throws NotFound, Forbidden, Invalid, Unprocessable, Conflict; BadReference if the body names a user or group that
 * does not exist
 */
export async function updateUser(scope: AuthorityScope, id: string, input: UserJson): Promise<AuthorityRow> {
  requireEditor(scope.user);
  const before = await lockAuthority(scope.db, 'user', id, 'NO KEY UPDATE');
  await requireSameAuthority(scope.db, 'user', {
    addressed: id,
    named: idOrNone(input.id) ?? idOrNone(input.properties?.username),
  });
  await requireMayChange(scope, { users: [id] });
  const changed = readUser(scope, input.properties ?? {});
  requirePossible(scope, id, changed);
  const differing = Object.keys(differingProperties(before.properties, changed.properties));
  await requireOwnProperties(scope, id, differing);
  const properties = withoutUnset({ ...before.properties, ...changed.properties });
  await checkProperties(scope, [authoritySchema(scope.services.model, 'user')], properties, {
    xpaths: differing,
    stored: before.properties,
  });

  const typoKeys = typoKeysOfNames({ id, properties });
  const data = {
    properties,
    typoKeys,
    ...(await passwordUpdate(scope, changed.password, { id, properties })),
  };
  await scope.db.prisma.user.update({ where: { id }, data, select: { id: true } });
  if (changed.groups) await setMemberships(scope, 'user', { member: id }, changed.groups);
  if (changed.password !== undefined) {
    await endLocked(scope, id, scope.user.id === id ? scope.user.credential : undefined);
  }
  await recordEvents(scope, [authorityEvent('user', 'modified', id, differing)]);
  await scope.db.announce('principals');
  return { id, properties };
}

/**
 * Locks a user and returns the groups of which the user is a direct member.
 * @throws NotFound
 */
export async function directGroupsOf({ db }: AuthorityScope, id: string): Promise<string[]> {
  await lockAuthority(db, 'user', id, 'NO KEY UPDATE');
  const rows = await db.prisma.userMembership.findMany({ where: { memberId: id } });
  return rows.map(({ groupId }) => groupId);
}

/**
 * Deletes a user along with all memberships (§4.3).
 * @throws NotFound, Forbidden; Conflict for the administrator (ADMIN_USERNAME)
 */
export async function deleteUser(scope: AuthorityScope, id: string): Promise<string> {
  requireEditor(scope.user);
  await lockAuthority(scope.db, 'user', id, 'UPDATE');
  await requireMayChange(scope, { users: [id] });
  if (id === scope.services.config.ADMIN_USERNAME)
    throw new Conflict(`${id} is the administrator of this server and cannot be deleted.`);
  await scope.db.prisma.user.delete({ where: { id }, select: { id: true } });
  const now = { deletedAt: new Date() };
  await scope.db.prisma.formerUser.upsert({ where: { id }, create: { id, ...now }, update: now });
  await recordEvents(scope, [authorityEvent('user', 'deleted', id)]);
  await scope.db.announce('principals');
  return id;
}
