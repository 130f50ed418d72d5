import type { Client } from '../../db/database.ts';
import { Forbidden } from '../../errors.ts';
import type { Using } from '../../scope.ts';

interface OriginScope extends Using<'identityProviders'> {
  readonly db: Pick<Client, 'prisma'>;
}

/** The labels of the identity providers and directories with which a user can sign in, in the order of IDENTITY_FILE. */
export async function signInLabels(
  { db, services: { identityProviders } }: OriginScope,
  userId: string,
): Promise<string[]> {
  const identities = await db.prisma.identity.findMany({
    where: { userId, endedAt: null },
    select: { provider: true },
  });
  const names = new Set(identities.map(({ provider }) => provider));
  return identityProviders.filter(({ name }) => names.has(name)).map(({ label }) => label);
}

/** Returns the error for changing the password of a user who has none here. It says where the password is changed. */
export async function noPasswordHere(scope: OriginScope, userId: string): Promise<Forbidden> {
  const labels = await signInLabels(scope, userId);
  return new Forbidden(
    labels.length === 0
      ? `${userId} has no password on this server. Ask an administrator to set one.`
      : `${userId} has no password on this server, but signs in with ${labels.join(' or ')}. Change the password there.`,
  );
}
