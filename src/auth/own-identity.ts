import type { Client } from '../db/database.ts';
import { Forbidden } from '../errors.ts';
import { findIdentity, identityOfSession } from '../loaders/authorities/identities.ts';
import type { OidcProvider } from '../security/identity-settings.ts';
import type { ProvenIdentity } from './oidc/sign-in.ts';

/**
 * Returns the provider at which the user signed in to start a session; undefined if the session has ended or the
 * provider is no longer configured.
 */
export async function providerOfSession(
  db: Pick<Client, 'prisma'>,
  providers: readonly OidcProvider[],
  session: string | undefined,
): Promise<OidcProvider | undefined> {
  const own = session === undefined ? undefined : (await identityOfSession(db, session))?.provider;
  return providers.find(({ name }) => name === own);
}

/** Checks that the identity that a provider has authenticated is linked to the given user. @throws Forbidden */
export async function requireOwnIdentity(
  db: Pick<Client, 'prisma'>,
  { provider, subject }: ProvenIdentity,
  userId: string,
): Promise<void> {
  const identity = await findIdentity(db, provider.name, subject);
  if (identity?.userId !== userId)
    throw new Forbidden(`This ${provider.label} account is not linked to ${userId}.`);
}
