import type { Client, Session } from '../db/database.ts';
import { type Account, accountOf } from '../loaders/authorities/account.ts';
import type { Services } from '../services.ts';
import { type IdentityProof, type ProviderUser, signInIdentity } from '../store/authorities/identities.ts';
import { beginIdentitySession } from '../store/authorities/identity-sessions.ts';
import { serverScope } from '../store/authorities/server-scope.ts';
import type { ProvenUser } from '../store/tokens/credentials.ts';
import type { ProvenIdentity } from './oidc/sign-in.ts';

type SignInServices = Pick<Services, 'blobs' | 'config' | 'identityProviders' | 'model' | 'secrets'>;

/** A user who has signed in with an identity. */
export interface SignedIn {
  readonly account: Account;
  readonly identityId: string;
}

async function signedIn(
  services: SignInServices,
  db: Client,
  { user, proof }: { readonly user: ProviderUser; readonly proof: IdentityProof },
): Promise<SignedIn> {
  const { id: identityId, userId } = await signInIdentity(serverScope(services, db), user, proof);
  const account = await accountOf(db, userId, services);
  if (!account) throw new Error(`The user ${userId} no longer exists.`);
  return { account, identityId };
}

/**
 * Signs in a user whose password a directory has verified.
 * @throws Forbidden, Conflict, Invalid, Unprocessable, Unauthenticated: see `signInIdentity`
 */
export const signInWithDirectory = (
  services: SignInServices,
  db: Session,
  user: ProviderUser,
  proof: IdentityProof,
): Promise<SignedIn> =>
  db.transaction(services.config.TRANSACTION_TIMEOUT, (client) =>
    signedIn(services, client, { user, proof }),
  );

/**
 * Signs in a user whom an OpenID Connect provider has authenticated, and stores the provider's session.
 * @param link if given, the existing user to link the identity to
 * @throws Forbidden, Conflict, Invalid, Unprocessable, Unauthenticated: see `signInIdentity`
 */
export const signInAtProvider = (
  services: SignInServices,
  db: Session,
  proven: ProvenIdentity,
  { lifetime, link }: { readonly lifetime: number; readonly link?: ProvenUser | undefined },
): Promise<{ readonly account: Account; readonly identitySession: string }> =>
  db.transaction(services.config.TRANSACTION_TIMEOUT, async (client) => {
    const proof = { link, provenAt: new Date() };
    const { account, identityId } = await signedIn(services, client, { user: proven, proof });
    const identitySession = await beginIdentitySession(serverScope(services, client), {
      identityId,
      sid: proven.sid,
      idToken: proven.idToken,
      expiresAt: new Date(Date.now() + lifetime),
    });
    return { account, identitySession };
  });
