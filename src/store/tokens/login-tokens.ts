import { stringify, v4 as uuid } from 'uuid';
import { Conflict, Forbidden, Invalid, NotFound } from '../../errors.ts';
import type { LoginToken } from '../../generated/prisma/client.ts';
import { loginTokensNamed } from '../../loaders/tokens/login-tokens.ts';
import { tokenHash } from '../../loaders/tokens/token-hash.ts';
import { isUuid } from '../../model/names.ts';
import { requireStorable } from '../../model/values/storable.ts';
import type { Scope, Using } from '../../scope.ts';
import { requireNotEnded, requirePassword } from './credentials.ts';

/** §5 */
interface Device {
  readonly application: string;
  readonly deviceId: string;
  readonly deviceDescription: string;
  readonly permission: string;
}

/** Characters; an index entry holds about 2,700 bytes. */
const longest = 255;

/** @throws Invalid for a missing or too long field. */
function requireDevice(device: Partial<Device>): void {
  requireStorable(device);
  if (device.application === '') throw new Invalid('application is missing');
  for (const [name, text] of Object.entries(device)) {
    if (Buffer.byteLength(text) > longest) throw new Invalid(`${name}: is longer than ${longest} bytes`);
  }
}

/** Derived from the row and the server's key, in the form of a UUID: only its hash is stored. */
function tokenOf({ services: { secrets } }: Using<'secrets'>, row: Pick<LoginToken, TokenKey>): string {
  const bytes = secrets.derive('login token', row.id, row.userId, row.application, row.deviceId);
  bytes[6] = 0x80 | ((bytes[6] ?? 0) & 0x0f); // a UUID of the version for which anything goes
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return stringify(bytes.subarray(0, 16));
}
type TokenKey = 'id' | 'userId' | 'application' | 'deviceId';

/** The login token of the request itself, where it is asked for again: nothing new arises from that. */
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
 * Answers the same token for a device until it is revoked.
 * @throws Forbidden, Unauthenticated, Invalid, Conflict
 */
export async function createLoginToken(scope: Scope, device: Device): Promise<string> {
  requireDevice(device);
  const own = await ownToken(scope, device);
  if (own !== undefined) return own;
  requirePassword(scope.user, 'a login token');
  await requireNotEnded(scope.db, scope.user);
  const { application, deviceId } = device;
  const { loginToken } = scope.db.prisma;
  const userId = scope.user.id;
  const made = { id: uuid(), userId, createdAt: new Date(), ...device };
  const data = [{ ...made, hash: tokenHash(tokenOf(scope, made)) }];
  await loginToken.createMany({ data, skipDuplicates: true });
  const where = { userId_application_deviceId: { userId, application, deviceId } };
  const row = await loginToken.findUnique({ where });
  if (!row) throw new Conflict('the token was revoked at the same time; try again');
  const token = tokenOf(scope, row);
  const hash = tokenHash(token);
  // The row was written under another TOKEN_KEY, so its token can no longer be derived.
  if (hash !== row.hash) {
    await loginToken.update({ where, data: { hash } });
    await scope.db.announce('principals');
  }
  return token;
}

export async function revokeLoginToken(
  { db, user }: Scope,
  device: Pick<Device, 'application' | 'deviceId'>,
): Promise<boolean> {
  requireDevice(device);
  const { application, deviceId } = device;
  const where = { userId: user.id, application, deviceId };
  const { count } = await db.prisma.loginToken.deleteMany({ where });
  if (count > 0) await db.announce('principals');
  return count > 0;
}

/**
 * @param ids of rows, or the tokens themselves.
 * @throws NotFound; Forbidden for another user's token, except for administrators.
 */
export async function deleteLoginTokens({ db, user }: Scope, ids: readonly string[]): Promise<void> {
  const where = loginTokensNamed(ids.filter(isUuid));
  const tokens = await db.prisma.loginToken.findMany({
    where,
    select: { id: true, hash: true, userId: true },
  });
  const known = new Map(tokens.flatMap(({ id, hash, userId }) => [id, hash].map((name) => [name, userId])));
  for (const id of ids) {
    const owner = known.get(id.toLowerCase()) ?? known.get(tokenHash(id));
    if (owner === undefined) throw new NotFound(`there is no token ${id}`);
    if (owner !== user.id && !user.isAdministrator) throw new Forbidden(`the token ${id} is not yours`);
  }
  await db.prisma.loginToken.deleteMany({ where });
  await db.announce('principals');
}
