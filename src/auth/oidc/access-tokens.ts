import { decodeJwt, type JWTPayload } from 'jose';
import type { Client } from '../../db/database.ts';
import { accountOf } from '../../loaders/authorities/account.ts';
import { findIdentity } from '../../loaders/authorities/identities.ts';
import { findAccessToken } from '../../loaders/tokens/oauth2.ts';
import type { OidcProvider } from '../../security/identity-settings.ts';
import {
  type AuthenticatedAccount,
  type AuthMethod,
  type AuthServices,
  bearerOf,
  isJwt,
  requireReplicated,
} from '../method.ts';
import { type OidcClients, providerAway } from './clients.ts';
import { verifyProviderToken } from './verify-token.ts';

/** Returns the provider that a JWT names as its issuer. The token has not been verified yet. */
function issuerOf({ providers }: OidcClients, token: string): OidcProvider | undefined {
  try {
    const { iss } = decodeJwt(token);
    return providers.find(({ issuer }) => issuer === iss);
  } catch {
    return undefined;
  }
}

/** Claims that occur in ID tokens and logout tokens, but never in access tokens. */
const otherTokens = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events'] as const;

/**
 * Returns whether a payload belongs to an access token that any bearer can use. A token with `cnf` is bound to a key,
 * and its sender would have to prove possession of that key.
 */
const isBearerToken = (payload: JWTPayload): boolean =>
  otherTokens.every((name) => payload[name] === undefined) &&
  payload.cnf === undefined &&
  // Keycloak writes the token type into the payload.
  (payload.typ === undefined || payload.typ === 'Bearer');

/**
 * Returns the user whom a verified token identifies. No user is created: only users who have signed in before or were
 * linked are found.
 */
async function accountOfClaims(
  services: AuthServices,
  db: Client,
  {
    provider,
    claims: { sub, exp, iat = 0 },
  }: { readonly provider: OidcProvider; readonly claims: JWTPayload },
): Promise<AuthenticatedAccount | undefined> {
  const identity = sub === undefined ? null : await findIdentity(db, provider.name, sub);
  requireReplicated(db, identity);
  const account = identity && (await accountOf(db, identity.userId, services));
  if (!account) return undefined;
  const endedAt = account.credentialsEndedAt;
  if (endedAt && iat * 1000 <= endedAt.getTime()) return undefined;
  return {
    account,
    credential: { kind: 'access token of a provider' },
    ...(exp !== undefined && { expiresAt: exp * 1000 }),
  };
}

async function verifyAccessToken(
  clients: OidcClients,
  provider: OidcProvider,
  token: string,
): Promise<JWTPayload | undefined> {
  const { accessTokens } = provider;
  if (!accessTokens) return undefined;
  const verified = await verifyProviderToken(await clients.of(provider), token, {
    audience: accessTokens.audience,
    requiredClaims: ['exp', 'sub', 'aud'],
  });
  if (!verified || !isBearerToken(verified.payload)) return undefined;
  const types = accessTokens.types.map((type) => type.toLowerCase());
  return types.includes(verified.type ?? 'jwt') ? verified.payload : undefined;
}

/**
 * Asks the provider which user an opaque token belongs to. @throws Unavailable if the provider does not respond
 */
async function introspect(
  clients: OidcClients,
  provider: OidcProvider,
  token: string,
): Promise<JWTPayload | undefined> {
  const { library, configuration } = await clients.of(provider);
  const answer = await library
    .tokenIntrospection(configuration, token, { token_type_hint: 'access_token' })
    .catch((error: unknown) => {
      throw providerAway(provider, error);
    });
  const { active, aud, iss, token_type: type } = answer;
  const payload = answer as JWTPayload;
  const isOwn =
    active === true &&
    [aud].flat().includes(provider.accessTokens?.audience) &&
    (iss === undefined || iss === provider.issuer) &&
    (type === undefined || /^(bearer|access_token)$/i.test(type)) &&
    (payload.exp === undefined || payload.exp * 1000 > Date.now());
  return isOwn && isBearerToken(payload) ? payload : undefined;
}

/**
 * `Authorization: Bearer` or `?access_token=` with a JWT that names a configured provider as its issuer. Such a token
 * is never passed on to other methods, even if it is invalid.
 */
export const providerTokens =
  (clients: OidcClients): AuthMethod =>
  (services) => ({
    credentialsOf: (source) => {
      const bearer = bearerOf(source);
      return bearer !== undefined && isJwt(bearer) && issuerOf(clients, bearer) ? bearer : undefined;
    },
    authenticate: async (token, db) => {
      const provider = issuerOf(clients, token);
      const claims = provider && (await verifyAccessToken(clients, provider, token));
      return provider && claims ? accountOfClaims(services, db, { provider, claims }) : undefined;
    },
  });

/**
 * Bearer tokens that are not JWTs. They are verified by the provider that has `introspection`. Tokens that this server
 * issued are never sent to the provider.
 */
export const introspectedTokens =
  (clients: OidcClients, own: AuthMethod | undefined): AuthMethod =>
  (services, logIn) => {
    const ownMethod = own?.(services, logIn);
    const provider = clients.providers.find(({ accessTokens }) => accessTokens?.introspection);
    return {
      credentialsOf: (source) => {
        const bearer = bearerOf(source);
        return provider && bearer !== undefined && !isJwt(bearer) ? bearer : undefined;
      },
      authenticate: async (token, db) => {
        if (!provider) return undefined;
        if (await findAccessToken(db, token)) return ownMethod?.authenticate(token, db);
        const claims = await introspect(clients, provider, token);
        return claims && accountOfClaims(services, db, { provider, claims });
      },
    };
  };
