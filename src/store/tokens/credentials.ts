import type { Client } from '../../db/database.ts';
import { Forbidden, Unauthenticated } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import type { Credential, Principal } from '../../security/principal.ts';
import { recordEvents } from '../audit/audit.ts';
import { authorityEvent } from '../authorities/events.ts';
import { lockAuthority } from '../row-locks/lock-authorities.ts';
import { lockCredentials } from '../row-locks/lock-credentials.ts';

/**
 * Checks that the request was authenticated with a password, or by a session that began at an identity provider (§5).
 * Other credentials are not sufficient, because a credential created with a token would outlive the token.
 * @throws Forbidden
 */
export function requirePassword({ credential }: Pick<Principal, 'credential'>, action: string): void {
  if (credential?.kind === 'password' || credential?.kind === 'sign-in at a provider') return;
  throw new Forbidden(
    `Only requests authenticated with a password can ${action}; this one used another credential: ${credential?.kind}.`,
  );
}

/** A user whose credentials have been accepted. */
export type ProvenUser = Pick<Principal, 'id' | 'endedBefore'>;

/**
 * Checks that the credentials of a request have not been revoked since they were accepted.
 * @throws Unauthenticated
 */
export async function requireNotEnded(
  db: Pick<Client, 'query'>,
  { id, endedBefore }: ProvenUser,
): Promise<void> {
  const user = await lockCredentials(db, id);
  if (user && user.credentialsEndedAt?.getTime() === endedBefore?.getTime()) return;
  throw new Unauthenticated('The credentials are not valid.');
}

/**
 * Revokes all credentials of a locked user except the password, and all JWTs issued so far.
 * @param spared the credential of the request in which the user changes the password; it is not revoked
 */
export async function endLocked(
  { db }: Pick<Scope, 'db'>,
  userId: string,
  spared?: Credential,
): Promise<void> {
  const { prisma } = db;
  const data = { credentialsEndedAt: new Date() };
  await prisma.user.update({ where: { id: userId }, data, select: { id: true } });
  await prisma.invitation.deleteMany({ where: { userId } });
  await prisma.passwordReset.deleteMany({ where: { userId } });
  await prisma.session.deleteMany({ where: { userId } });
  await prisma.oAuth2Code.deleteMany({ where: { userId } });
  const pair = spared?.kind === 'OAuth token' ? { NOT: { id: spared.id } } : {};
  await prisma.oAuth2Token.deleteMany({ where: { userId, ...pair } });
  const token = spared?.kind === 'login token' ? { NOT: { id: spared.id } } : {};
  await prisma.loginToken.deleteMany({ where: { userId, ...token } });
  await db.announce('principals');
}

/**
 * Revokes the credentials of a user. Only that user or an administrator can do this.
 * @throws NotFound, Forbidden
 */
export async function endCredentials(scope: Scope, userId: string): Promise<string> {
  const { id, isAdministrator } = scope.user;
  if (id !== userId && !isAdministrator)
    throw new Forbidden(`Only ${userId} or an administrator can revoke the credentials of ${userId}.`);
  await lockAuthority(scope.db, 'user', userId, 'NO KEY UPDATE');
  await endLocked(scope, userId);
  await recordEvents(scope, [authorityEvent('user', 'modified', userId)]);
  return userId;
}
