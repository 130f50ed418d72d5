import { Conflict, Invalid } from '../../errors.ts';
import type { AuthorityRow } from '../../loaders/authorities/authorities.ts';
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
import { setMemberships } from './memberships.ts';
import { newPasswordHash } from './passwords.ts';
import { requireEditor, requireMayChange } from './rights.ts';
import { claimId, requireSameAuthority } from './same-authority.ts';
import { authoritySchema, newAuthorityId } from './schemas.ts';

interface UserFields {
  readonly username: string | undefined;
  readonly password: string | null | undefined;
  readonly groups: readonly string[] | undefined;
  readonly properties: StoredProperties;
}

const text = (value: StoredValue | undefined) => value as string | null | undefined;
const list = (value: StoredValue | undefined) => value as readonly string[] | undefined;

/** @throws Invalid for an unknown property or a value of another type. */
function readUser(
  { services: { model } }: AuthorityScope,
  json: Readonly<Record<string, unknown>>,
): UserFields {
  const { username, password, groups, ...properties } = readFields(authoritySchema(model, 'user'), json);
  if (password === '') throw new Invalid('password: is empty');
  return {
    username: idOrNone(username),
    password: text(password),
    groups: list(groups),
    properties,
  };
}

/** Undefined leaves the stored hash. The hash is computed while no connection and no lock is held. */
async function passwordUpdate(
  { db }: Pick<AuthorityScope, 'db'>,
  password: UserFields['password'],
): Promise<{ passwordHash?: string | null }> {
  if (password === undefined) return {};
  return { passwordHash: password === null ? null : await newPasswordHash(db, password) };
}

export interface UserJson {
  /** Must equal the user name. */
  readonly id?: string | null | undefined;
  /** By bare name, `username`, `password` and `groups` included. */
  readonly properties?: Readonly<Record<string, unknown>> | null | undefined;
}

/**
 * Creates a user (§4.3).
 * @throws Forbidden, Invalid, Unprocessable; Conflict when the name is taken, BadReference when a group is
 * missing.
 */
export async function createUser(scope: AuthorityScope, input: UserJson): Promise<AuthorityRow> {
  requireEditor(scope.user);
  const given = readUser(scope, input.properties ?? {});
  const id = newAuthorityId('user', given.username ?? '');
  const named = visibleName(idOrNone(input.id) ?? id, 'id');
  if (named !== id) throw new Invalid(`id: "${named}" is not the username "${id}"`);
  const properties = withoutUnset(given.properties);
  await checkProperties(scope, [authoritySchema(scope.services.model, 'user')], properties);
  // ACEs name users and groups alike: a user called like a group of administrators would get its permissions.
  await requireMayChange(scope, { users: [id], groups: [id] });

  const { prisma } = scope.db;
  const claimed = await claimId(scope.db, 'user', id);
  const former = await prisma.formerUser.findUnique({ where: { id }, select: { deletedAt: true } });
  const ended = former && { credentialsEndedAt: former.deletedAt };
  const data = [{ ...claimed, properties, ...(await passwordUpdate(scope, given.password)), ...ended }];
  await prisma.user.createMany({ data });
  if (given.groups) await setMemberships(scope, 'user', { member: id }, given.groups);
  await recordEvents(scope, [authorityEvent('user', 'created', id)]);
  await scope.db.announce('principals');
  return { id, properties };
}

/** @throws Invalid for a new user name; Conflict when the administrator could no longer log in. */
function requirePossible({ services }: AuthorityScope, id: string, { username, password }: UserFields): void {
  if (username !== undefined && username !== id) {
    throw new Invalid(`username: "${username}" is not "${id}", and a user keeps the name`);
  }
  if (id === services.config.ADMIN_USERNAME && password === null)
    throw new Conflict(`${id} is the administrator, and needs a password`);
}

/**
 * Absent fields stay, null clears (§4.3). A password ends all other credentials but the caller's own.
 * @throws NotFound, Forbidden, Invalid, Unprocessable, Conflict; BadReference when the body names a missing
 * user or group.
 */
export async function updateUser(scope: AuthorityScope, id: string, input: UserJson): Promise<AuthorityRow> {
  requireEditor(scope.user);
  const before = await lockAuthority(scope.db, 'user', id, 'NO KEY UPDATE');
  await requireSameAuthority(scope.db, 'user', {
    addressed: id,
    named: idOrNone(input.id) ?? idOrNone(input.properties?.username),
  });
  await requireMayChange(scope, { users: [id] });
  const given = readUser(scope, input.properties ?? {});
  requirePossible(scope, id, given);
  const properties = withoutUnset({ ...before.properties, ...given.properties });
  await checkProperties(scope, [authoritySchema(scope.services.model, 'user')], properties, {
    xpaths: Object.keys(differingProperties(before.properties, given.properties)),
    stored: before.properties,
  });

  const data = { properties, ...(await passwordUpdate(scope, given.password)) };
  await scope.db.prisma.user.update({ where: { id }, data, select: { id: true } });
  if (given.groups) await setMemberships(scope, 'user', { member: id }, given.groups);
  if (given.password !== undefined) {
    await endLocked(scope, id, scope.user.id === id ? scope.user.credential : undefined);
  }
  await recordEvents(scope, [authorityEvent('user', 'modified', id)]);
  await scope.db.announce('principals');
  return { id, properties };
}

/** The groups that a locked user is in directly. @throws NotFound */
export async function directGroupsOf({ db }: AuthorityScope, id: string): Promise<string[]> {
  await lockAuthority(db, 'user', id, 'NO KEY UPDATE');
  const rows = await db.prisma.userMembership.findMany({ where: { memberId: id } });
  return rows.map(({ groupId }) => groupId);
}

/**
 * Deletes a user and all memberships (§4.3).
 * @throws NotFound, Forbidden; Conflict for the administrator (ADMIN_USERNAME).
 */
export async function deleteUser(scope: AuthorityScope, id: string): Promise<string> {
  requireEditor(scope.user);
  await lockAuthority(scope.db, 'user', id, 'UPDATE');
  await requireMayChange(scope, { users: [id] });
  if (id === scope.services.config.ADMIN_USERNAME)
    throw new Conflict(`${id} is the administrator of this server and cannot be deleted`);
  await scope.db.prisma.user.delete({ where: { id }, select: { id: true } });
  const now = { deletedAt: new Date() };
  await scope.db.prisma.formerUser.upsert({ where: { id }, create: { id, ...now }, update: now });
  await recordEvents(scope, [authorityEvent('user', 'deleted', id)]);
  await scope.db.announce('principals');
  return id;
}
