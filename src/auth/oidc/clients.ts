import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import type { Configuration } from 'openid-client';
import { Unavailable } from '../../errors.ts';
import type { IdentityProvider, OidcProvider } from '../../security/identity-settings.ts';

type Library = typeof import('openid-client');

/** A client for a provider whose metadata has been read. */
export interface OidcClient {
  readonly provider: OidcProvider;
  readonly library: Library;
  readonly configuration: Configuration;
  /**
   * Finds the key for verifying a token's signature. @throws Unavailable if the provider does not send its keys
   */
  readonly keys: JWTVerifyGetKey;
}

/** The number of seconds by which the clocks of the provider and this server can differ. */
export const clockTolerance = 30;

/** The time in milliseconds after which a provider's metadata is read again, so that changes take effect. */
const metadataLifetime = 3_600_000;

/** For this many milliseconds after a failure, requests fail without contacting the provider again. */
const failureLifetime = 1_000;

/**
 * The minimum time between two downloads of a provider's keys, in milliseconds. An unknown key triggers a download, and
 * anyone can send a token that names an unknown key.
 */
const keyCooldown = 1_000;

/** The time in milliseconds after which keys are read again, so that revoked keys are no longer accepted. */
const keyLifetime = 600_000;

/**
 * The error codes with which `jose` reports that keys could not be read, rather than that a token is invalid.
 */
const unreadableKeys: ReadonlySet<string> = new Set([
  'ERR_JOSE_GENERIC',
  'ERR_JWKS_TIMEOUT',
  'ERR_JWKS_INVALID',
]);

export const providerAway = ({ label }: OidcProvider, cause: unknown): Unavailable =>
  new Unavailable(`${label} does not respond. Try again later.`, { cause });

function keysOf(provider: OidcProvider, configuration: Configuration): JWTVerifyGetKey {
  const { jwks_uri: address, issuer } = configuration.serverMetadata();
  if (address === undefined || new URL(address).protocol !== new URL(issuer).protocol)
    throw new Error(`The metadata of ${issuer} has no jwks_uri, or its jwks_uri uses a different protocol.`);
  const remote = createRemoteJWKSet(new URL(address), {
    timeoutDuration: provider.timeout * 1_000,
    cooldownDuration: keyCooldown,
    cacheMaxAge: keyLifetime,
  });
  return async (header, token) => {
    try {
      return await remote(header, token);
    } catch (error) {
      if (error instanceof errors.JOSEError && !unreadableKeys.has(error.code)) throw error;
      throw providerAway(provider, error);
    }
  };
}

async function connect(provider: OidcProvider): Promise<OidcClient> {
  // Loaded on first use, so that servers without identity providers save the startup time and memory.
  const library = await import('openid-client');
  const { clientId, clientSecret, clientAuthentication, issuer, timeout } = provider;
  const methods = {
    client_secret_basic: library.ClientSecretBasic,
    client_secret_post: library.ClientSecretPost,
  };
  const isPlain = new URL(issuer).protocol === 'http:';
  const configuration = await library.discovery(
    new URL(issuer),
    clientId,
    { [library.clockTolerance]: clockTolerance },
    clientSecret === undefined ? library.None() : methods[clientAuthentication](clientSecret),
    { timeout, ...(isPlain && { execute: [library.allowInsecureRequests] }) },
  );
  return { provider, library, configuration, keys: keysOf(provider, configuration) };
}

/** Checks that a provider's metadata can be read. @throws an error that explains why it cannot be read */
export async function checkOidcProvider(provider: OidcProvider): Promise<void> {
  await connect(provider);
}

export interface OidcClients {
  readonly providers: readonly OidcProvider[];
  /**
   * Returns a client for a provider, after reading the provider's metadata. @throws Unavailable if it does not respond
   */
  of(provider: OidcProvider): Promise<OidcClient>;
}

/**
 * Creates the clients for the OpenID Connect providers in IDENTITY_FILE. No request is sent to a provider until its
 * client is used.
 */
export function createOidcClients(all: readonly IdentityProvider[]): OidcClients {
  const providers = all.filter((provider) => provider.kind === 'oidc');
  const clients = new Map<string, { readonly client: Promise<OidcClient>; readonly until: number }>();
  return {
    providers,
    of: (provider) => {
      const known = clients.get(provider.name);
      if (known && performance.now() < known.until) return known.client;
      const client = connect(provider).catch((error: unknown) => {
        clients.set(provider.name, { client, until: performance.now() + failureLifetime });
        throw providerAway(provider, error);
      });
      clients.set(provider.name, { client, until: performance.now() + metadataLifetime });
      return client;
    },
  };
}
