import { Conflict, Forbidden, Invalid, NotFound, Unauthenticated } from '../../errors.ts';
import { findIdentity, type IdentityRow, isSubject } from '../../loaders/authorities/identities.ts';
import { isUuid } from '../../model/names.ts';
import type { AuthorityScope, Scope } from '../../scope.ts';
import { type Claims, type MappedUser, mapClaims } from '../../security/identity-rules.ts';
import type { IdentityProvider } from '../../security/identity-settings.ts';
import { requireAdministrator } from '../../security/principal.ts';
import { recordEvents } from '../audit/audit.ts';
import { lockIdentity } from '../row-locks/advisory-locks.ts';
import { lockAuthority } from '../row-locks/lock-authorities.ts';
import { endLocked, type ProvenUser, requireNotEnded } from '../tokens/credentials.ts';
import { credentialEvent } from './events.ts';
import { applyRules, existingGroups, fittingProperties } from './identity-rules.ts';
import { authoritySchema, newAuthorityId } from './schemas.ts';
import { createUser } from './users.ts';

/** A user of an identity provider, as described by the claims of a sign-in or by an LDAP directory. */
export interface ProviderUser {
  readonly provider: IdentityProvider;
  readonly subject: string;
  readonly claims: Claims;
}

/**
 * Creates the user for a new identity. @throws Forbidden if the settings do not allow it; Conflict if the name is taken
 */
async function createFor(
  scope: AuthorityScope,
  { label, users }: IdentityProvider,
  mapped: MappedUser,
): Promise<string> {
  if (!users.create)
    throw new Forbidden(
      `Your ${label} account is not linked to a user of this server. Ask an administrator to link it.`,
    );
  if (mapped.id === undefined)
    throw new Forbidden(
      `${label} did not send a verified claim "${users.id}", which is needed to name a new user.`,
    );
  const id = newAuthorityId('user', mapped.id);
  // ACEs may still name the id of a deleted user, and whoever deleted the user did not want the account to come back.
  const former = await scope.db.prisma.formerUser.findUnique({ where: { id } });
  const taken = `The user name ${id} is taken by a user who is not linked to your ${label} account.`;
  if (former)
    throw new Conflict(`${taken} That user was deleted; an administrator can create and link it again.`);
  const fitting = fittingProperties(authoritySchema(scope.services.model, 'user'), mapped.properties);
  const properties = {
    ...Object.fromEntries(Object.entries(fitting).filter(([, value]) => value !== null)),
    username: id,
    groups: await existingGroups(scope.db, mapped.groups),
  };
  try {
    await createUser(scope, { properties });
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    throw new Conflict(
      `${taken} That user can link it after signing in with a password, or an administrator can.`,
    );
  }
  return id;
}

/** Checks that a user can have identities. @throws Conflict for the administrator, who must not depend on a provider */
function requireLinkable({ services: { config } }: AuthorityScope, userId: string): void {
  if (userId === config.ADMIN_USERNAME)
    throw new Conflict(`${userId} is the administrator of this server, and cannot be linked to a provider.`);
}

const takenIdentity = (provider: string, userId: string): Conflict =>
  new Conflict(`This ${provider} account is already linked to the user ${userId}. Unlink it first.`);

/** The facts of a sign-in, other than the user whom the provider has confirmed. */
export interface IdentityProof {
  /** The user to whom the identity is linked, after both have been proved. */
  readonly link?: ProvenUser | undefined;
  /** When the provider was asked. An identity that has ended since then stays so. */
  readonly provenAt: Date;
}

/**
 * Signs in the user of an identity, after applying the provider's rules. The user is created if the settings allow it.
 * Only the provider and the subject determine which user it is.
 * @throws Forbidden, Conflict, Invalid, Unprocessable; Unauthenticated if the identity has just ended, or if the
 * credentials of the user to link have been revoked
 */
export async function signInIdentity(
  scope: AuthorityScope,
  { provider, subject, claims }: ProviderUser,
  { link, provenAt }: IdentityProof,
): Promise<IdentityRow> {
  if (!isSubject(subject)) throw new Invalid(`The subject that ${provider.label} sent is too long or empty.`);
  const { prisma } = scope.db;
  await lockIdentity(scope.db, provider.name, subject);
  const known = await findIdentity(scope.db, provider.name, subject);
  if (known?.endedAt && known.endedAt > provenAt) throw new Unauthenticated('The credentials are not valid.');
  if (link) {
    requireLinkable(scope, link.id);
    await requireNotEnded(scope.db, link);
    if (known && known.userId !== link.id) throw takenIdentity(provider.label, known.userId);
  }
  const mapped = mapClaims(provider.users, claims);
  const userId = known?.userId ?? link?.id ?? (await createFor(scope, provider, mapped));
  if (known || link) await applyRules(scope, userId, { rules: provider.users, mapped });
  const now = { lastSignInAt: new Date(), endedAt: null };
  if (known?.endedAt) await scope.db.announce('principals');
  if (known) return prisma.identity.update({ where: { id: known.id }, data: now });
  await recordEvents(scope, [credentialEvent(userId, { created: 'identity', provider: provider.name })]);
  await scope.db.announce('principals');
  return prisma.identity.create({ data: { provider: provider.name, subject, userId, ...now } });
}

/**
 * Creates the user of an identity before the first sign-in.
 * @throws Forbidden, Conflict, Invalid, Unprocessable
 */
export async function addIdentity(
  scope: AuthorityScope,
  { provider, subject, claims }: ProviderUser,
): Promise<string> {
  if (!isSubject(subject)) throw new Invalid(`The subject that ${provider.label} sent is too long or empty.`);
  await lockIdentity(scope.db, provider.name, subject);
  const known = await findIdentity(scope.db, provider.name, subject);
  if (known) return known.userId;
  const userId = await createFor(scope, provider, mapClaims(provider.users, claims));
  await scope.db.prisma.identity.create({ data: { provider: provider.name, subject, userId } });
  return userId;
}

/**
 * Links a user to an identity, which can then be used to sign in.
 * @throws Forbidden unless the caller is an administrator; NotFound, Conflict; Invalid for an unknown provider or subject
 */
export async function linkIdentity(
  scope: Scope,
  userId: string,
  { provider: name, subject }: { readonly provider: string; readonly subject: string },
): Promise<IdentityRow> {
  requireAdministrator(scope.user, 'link identities');
  const provider = scope.services.identityProviders.find((each) => each.name === name);
  if (!provider)
    throw new Invalid(`there is no identity provider named ${name.slice(0, 80)}`, { field: 'provider' });
  if (!isSubject(subject)) throw new Invalid('must have 1 to 255 characters', { field: 'subject' });
  await lockIdentity(scope.db, name, subject);
  await lockAuthority(scope.db, 'user', userId, 'NO KEY UPDATE');
  requireLinkable(scope, userId);
  const known = await findIdentity(scope.db, name, subject);
  if (known && known.userId !== userId) throw takenIdentity(provider.label, known.userId);
  if (known) return known;
  await recordEvents(scope, [credentialEvent(userId, { created: 'identity', provider: name })]);
  return scope.db.prisma.identity.create({ data: { provider: name, subject, userId } });
}

/**
 * Unlinks an identity. This revokes all credentials of the user, because any of them may have been obtained through the
 * identity.
 * @throws Forbidden unless the caller is an administrator; NotFound
 */
export async function unlinkIdentity(scope: Scope, userId: string, id: string): Promise<string> {
  requireAdministrator(scope.user, 'unlink identities');
  await lockAuthority(scope.db, 'user', userId, 'NO KEY UPDATE');
  const { identity } = scope.db.prisma;
  const [known] = isUuid(id) ? await identity.findMany({ where: { id, userId } }) : [];
  if (!known) throw new NotFound(`${userId} has no identity with the id ${id.slice(0, 80)}.`);
  await identity.deleteMany({ where: { id } });
  await endLocked(scope, userId);
  await recordEvents(scope, [credentialEvent(userId, { ended: 'identity', provider: known.provider })]);
  return id;
}
