import { stringify, v4 as uuid } from 'uuid';
import { Conflict, Forbidden, Invalid, NotFound } from '../../errors.ts';
import type { LoginToken } from '../../generated/prisma/client.ts';
import { loginTokensNamed } from '../../loaders/tokens/login-tokens.ts';
import { tokenHash } from '../../loaders/tokens/token-hash.ts';
import { isUuid } from '../../model/names.ts';
import { requireStorable } from '../../model/values/storable.ts';
import type { Scope, Using } from '../../scope.ts';
import { recordEvents } from '../audit/audit.ts';
import { credentialEvent } from '../authorities/events.ts';
import { requireNotEnded, requirePassword } from './credentials.ts';

/** The device and application that a login token belongs to (§5). */
interface Device {
  readonly application: string;
  readonly deviceId: string;
  readonly deviceDescription: string;
  readonly permission: string;
}

/** The maximum length of a field in bytes. It is limited because an index entry can have at most about 2,700 bytes. */
const maxBytes = 255;

/** @throws Invalid if a field is missing or too long */
function requireDevice(device: Partial<Device>): void {
  requireStorable(device);
  if (device.application === '') throw new Invalid('application is missing');
  for (const [name, text] of Object.entries(device)) {
    if (Buffer.byteLength(text) > maxBytes)
      throw new Invalid(`${name} must not be longer than ${maxBytes} bytes`);
  }
}

/**
 * The token that belongs to a row, in the form of a UUID. It is derived from the row and the server's key; only its
 * hash is stored.
 */
function tokenOf({ services: { secrets } }: Using<'secrets'>, row: Pick<LoginToken, TokenKey>): string {
  const bytes = secrets.derive('login token', row.id, row.userId, row.application, row.deviceId);
  bytes[6] = 0x80 | ((bytes[6] ?? 0) & 0x0f); // UUID version 8, which allows custom content
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return stringify(bytes.subarray(0, 16));
}
type TokenKey = 'id' | 'userId' | 'application' | 'deviceId';

/**
 * Returns the login token that authenticated the request, if it is for the same device and permission. Returning it
 * does not create a new credential.
 */
async function ownToken(scope: Scope, device: Device): Promise<string | undefined> {
  const { db, user } = scope;
  if (user.credential?.kind !== 'login token') return undefined;
  const row = await db.prisma.loginToken.findUnique({ where: { id: user.credential.id } });
  const { application, deviceId, permission } = device;
  const isSame =
    row?.userId === user.id &&
    row.application === application &&
    row.deviceId === deviceId &&
    row.permission === permission;
  return isSame ? tokenOf(scope, row) : undefined;
}

/**
 * Returns the caller's token for a device. The token remains the same until it is revoked.
 * @throws Forbidden, Unauthenticated, Invalid, Conflict
 */
export async function createLoginToken(scope: Scope, device: Device): Promise<string> {
  requireDevice(device);
  const own = await ownToken(scope, device);
  if (own !== undefined) return own;
  requirePassword(scope.user, 'create a login token');
  await requireNotEnded(scope.db, scope.user);
  const { application, deviceId } = device;
  const { loginToken } = scope.db.prisma;
  const userId = scope.user.id;
  const made = { id: uuid(), userId, createdAt: new Date(), ...device };
  const data = [{ ...made, hash: tokenHash(tokenOf(scope, made)) }];
  const { count } = await loginToken.createMany({ data, skipDuplicates: true });
  if (count > 0)
    await recordEvents(scope, [credentialEvent(userId, { created: 'login token', application })]);
  const where = { userId_application_deviceId: { userId, application, deviceId } };
  const row = await loginToken.findUnique({ where });
  if (!row) throw new Conflict('The token was revoked at the same time. Try again.');
  const token = tokenOf(scope, row);
  const hash = tokenHash(token);
  // If TOKEN_KEY has changed since the row was written, the former token can no longer be derived.
  if (hash !== row.hash) {
    await loginToken.update({ where, data: { hash } });
    await scope.db.announce('principals');
  }
  return token;
}

const tokenEnded = ({ userId, application }: Pick<LoginToken, 'userId' | 'application'>) =>
  credentialEvent(userId, { ended: 'login token', application });

/**
 * Revokes the caller's token for a device.
 * @returns whether the token existed
 */
export async function revokeLoginToken(
  scope: Scope,
  device: Pick<Device, 'application' | 'deviceId'>,
): Promise<boolean> {
  requireDevice(device);
  const { db, user } = scope;
  const { application, deviceId } = device;
  const where = { userId: user.id, application, deviceId };
  const { count } = await db.prisma.loginToken.deleteMany({ where });
  if (count === 0) return false;
  await recordEvents(scope, [tokenEnded({ userId: user.id, application })]);
  await db.announce('principals');
  return true;
}

/**
 * Deletes login tokens.
 * @param ids the ids of their rows, or the tokens themselves
 * @throws NotFound; Forbidden for another user's token, unless the caller is an administrator
 */
export async function deleteLoginTokens(scope: Scope, ids: readonly string[]): Promise<void> {
  const { db, user } = scope;
  const where = loginTokensNamed(ids.filter(isUuid));
  const tokens = await db.prisma.loginToken.findMany({
    where,
    select: { id: true, hash: true, userId: true, application: true },
  });
  const known = new Map(tokens.flatMap(({ id, hash, userId }) => [id, hash].map((name) => [name, userId])));
  for (const id of ids) {
    const owner = known.get(id.toLowerCase()) ?? known.get(tokenHash(id));
    if (owner === undefined) throw new NotFound(`There is no token ${id}.`);
    if (owner !== user.id && !user.isAdministrator)
      throw new Forbidden(
        `The token ${id} belongs to another user. Only that user or an administrator can delete it.`,
      );
  }
  await db.prisma.loginToken.deleteMany({ where });
  await recordEvents(scope, tokens.map(tokenEnded));
  await db.announce('principals');
}
