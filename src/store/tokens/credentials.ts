import type { Client } from '../../db/database.ts';
import { Forbidden, Unauthenticated } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import type { Credential, Principal } from '../../security/principal.ts';
import { recordEvents } from '../audit/audit.ts';
import { authorityEvent } from '../authorities/events.ts';
import { lockAuthority } from '../row-locks/lock-authorities.ts';
import { lockCredentials } from '../row-locks/lock-credentials.ts';

/** §5: what a token brings forth would outlive it. @throws Forbidden */
export function requirePassword({ credential }: Pick<Principal, 'credential'>, wanted: string): void {
  if (credential?.kind === 'password') return;
  throw new Forbidden(
    `${wanted} takes the user's password, and this request has none, but a credential of another kind: ${credential?.kind}`,
  );
}

export type ProvenUser = Pick<Principal, 'id' | 'endedBefore'>;

/** For requests whose credentials may have ended since they were accepted. @throws Unauthenticated */
export async function requireNotEnded(
  db: Pick<Client, 'query'>,
  { id, endedBefore }: ProvenUser,
): Promise<void> {
  const user = await lockCredentials(db, id);
  if (user && user.credentialsEndedAt?.getTime() === endedBefore?.getTime()) return;
  throw new Unauthenticated('the credentials are not valid');
}

/**
 * Ends all credentials of a user but the password, and JWTs by the time of their issue. The user is locked.
 * @param spared those of the request that changes its own password.
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
  await prisma.oAuth2Code.deleteMany({ where: { userId } });
  const pair = spared?.kind === 'OAuth token' ? { NOT: { id: spared.id } } : {};
  await prisma.oAuth2Token.deleteMany({ where: { userId, ...pair } });
  const token = spared?.kind === 'login token' ? { NOT: { id: spared.id } } : {};
  await prisma.loginToken.deleteMany({ where: { userId, ...token } });
  await db.announce('principals');
}

/** For the user and administrators. @throws NotFound, Forbidden */
export async function endCredentials(scope: Scope, userId: string): Promise<string> {
  const { id, isAdministrator } = scope.user;
  if (id !== userId && !isAdministrator)
    throw new Forbidden(`the credentials of ${userId} are not the business of ${id}`);
  await lockAuthority(scope.db, 'user', userId, 'NO KEY UPDATE');
  await endLocked(scope, userId);
  await recordEvents(scope, [authorityEvent('user', 'modified', userId)]);
  return userId;
}
