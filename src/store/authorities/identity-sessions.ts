import type { Client } from '../../db/database.ts';
import { oldRowsDeletion } from '../../db/old-rows.ts';
import { statement } from '../../db/statement.ts';
import type { AuthorityScope, Scope, Using } from '../../scope.ts';
import type { IdentityProvider } from '../../security/identity-settings.ts';
import { recordEvents } from '../audit/audit.ts';
import { credentialEvent } from './events.ts';

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

/** A session that has ended, and the provider with which it began. */
interface EndedSession {
  readonly userId: string;
  readonly provider: string;
}

interface EndedSessions {
  readonly subject: string | undefined;
  readonly sid: string | undefined;
  readonly begunBefore: Date;
}

/** Records in the audit log that sessions of an identity provider have ended, and makes all processes forget them. */
async function announceEnded(scope: AuthorityScope, ended: readonly EndedSession[]): Promise<void> {
  if (ended.length === 0) return;
  await recordEvents(
    scope,
    ended.map(({ userId, provider }) => credentialEvent(userId, { ended: 'session', provider })),
  );
  await scope.db.announce('principals');
}

/**
 * Ends the sessions that an identity provider has ended: those with a given session id or subject that began before a
 * given time.
 */
export async function endSessionsOfProvider(
  scope: AuthorityScope,
  provider: string,
  { subject, sid, begunBefore }: EndedSessions,
): Promise<void> {
  const { identitySession } = scope.db.prisma;
  const ended = await identitySession.findMany({
    where: {
      identity: { provider, ...(subject !== undefined && { subject }) },
      ...(sid !== undefined && { sid }),
      createdAt: { lt: begunBefore },
    },
    select: { id: true, identity: { select: { userId: true, provider: true } } },
  });
  await identitySession.deleteMany({ where: { id: { in: ended.map(({ id }) => id) } } });
  await announceEnded(
    scope,
    ended.map(({ identity }) => identity),
  );
}

// The sessions of the pages of OAuth 2.0 exist only as sessions of a provider, those of directories only as sessions of
// the console.
const endAbsent = statement('end-sessions-of-absent-providers', { userId: 'text', provider: 'text' })`
  WITH ended AS (
    DELETE FROM identity_session s USING identity i WHERE i.id = s.identity_id AND i.provider <> ALL($1::text[])
  )
  DELETE FROM session WHERE provider IS NOT NULL AND provider <> ALL($1::text[]) RETURNING user_id AS "userId", provider`;

/** Ends the sessions that began with identity providers or directories that are no longer in IDENTITY_FILE. */
export async function endSessionsOfAbsentProviders(
  scope: AuthorityScope,
  providers: readonly IdentityProvider[],
): Promise<number> {
  const ended = await scope.db.query(endAbsent, [providers.map(({ name }) => name)]);
  await announceEnded(scope, ended);
  return ended.length;
}

/** Deletes sessions that expired more than the given number of days ago. */
export const deleteOldIdentitySessions = oldRowsDeletion({
  table: 'identity_session',
  key: ['id'],
  since: 'expires_at',
});
