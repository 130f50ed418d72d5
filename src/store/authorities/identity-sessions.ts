import type { Client } from '../../db/database.ts';
import { oldRowsDeletion } from '../../db/old-rows.ts';
import type { Scope, Using } from '../../scope.ts';

const purpose = 'ID token';

/** A sign-in through an identity provider, which begins a session. */
interface NewIdentitySession {
  readonly identityId: string;
  readonly sid: string | undefined;
  readonly idToken: string;
  readonly expiresAt: Date;
}

/** Stores a session that begins with a sign-in through an identity provider. @returns the session's id */
export async function beginIdentitySession(
  { db, services: { secrets } }: Pick<Scope, 'db'> & Using<'secrets'>,
  { idToken, sid, ...session }: NewIdentitySession,
): Promise<string> {
  const data = { ...session, sid: sid ?? null, sealedToken: secrets.seal(purpose, idToken) };
  const { id } = await db.prisma.identitySession.create({ data, select: { id: true } });
  return id;
}

/**
 * Ends a session.
 * @returns the provider through which it began, and its ID token; undefined if the session has already ended
 */
export async function endIdentitySession(
  { db, services: { secrets } }: { readonly db: Client } & Using<'secrets'>,
  id: string,
): Promise<{ readonly provider: string; readonly idToken: string | undefined } | undefined> {
  const session = await db.prisma.identitySession.findUnique({ where: { id }, include: { identity: true } });
  if (!session) return undefined;
  await db.prisma.identitySession.deleteMany({ where: { id } });
  await db.announce('principals');
  const idToken = session.sealedToken === null ? undefined : secrets.open(purpose, session.sealedToken);
  return { provider: session.identity.provider, idToken };
}

interface EndedSessions {
  readonly subject: string | undefined;
  readonly sid: string | undefined;
  readonly begunBefore: Date;
}

/**
 * Ends the sessions that an identity provider has ended: those with a given session id or subject that began before a
 * given time.
 */
export async function endSessionsOfProvider(
  { prisma, announce }: Client,
  provider: string,
  { subject, sid, begunBefore }: EndedSessions,
): Promise<number> {
  const { count } = await prisma.identitySession.deleteMany({
    where: {
      identity: { provider, ...(subject !== undefined && { subject }) },
      ...(sid !== undefined && { sid }),
      createdAt: { lt: begunBefore },
    },
  });
  await announce('principals');
  return count;
}

/** Deletes sessions that expired more than the given number of days ago. */
export const deleteOldIdentitySessions = oldRowsDeletion({
  table: 'identity_session',
  key: ['id'],
  since: 'expires_at',
});
