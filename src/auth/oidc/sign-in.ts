import { Forbidden, Unauthenticated } from '../../errors.ts';
import type { Claims } from '../../security/identity-rules.ts';
import type { OidcProvider } from '../../security/identity-settings.ts';
import { type OidcClient, type OidcClients, providerAway } from './clients.ts';
import { verifyProviderToken } from './verify-token.ts';

/** The secrets that only the browser stores between the start and the end of a sign-in. */
export interface SignInSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The maximum number of seconds since the user last authenticated at the provider; absent if there is no limit. */
  readonly maxAge?: number | undefined;
}

/** The identity of a user whom a provider has authenticated. */
export interface ProvenIdentity {
  readonly provider: OidcProvider;
  readonly subject: string;
  readonly claims: Claims;
  /** The id of the session at the provider. */
  readonly sid: string | undefined;
  readonly idToken: string;
}

/**
 * Starts a sign-in. @returns the URL to which to redirect the browser.
 * @param maxAge The provider asks for credentials again if the user's last authentication is more seconds ago.
 * @throws Unavailable
 */
export async function startSignIn(
  clients: OidcClients,
  provider: OidcProvider,
  { redirectUri, maxAge }: { readonly redirectUri: string; readonly maxAge?: number | undefined },
): Promise<{ readonly url: URL; readonly secrets: SignInSecrets }> {
  const { library, configuration } = await clients.of(provider);
  const secrets = {
    state: library.randomState(),
    nonce: library.randomNonce(),
    verifier: library.randomPKCECodeVerifier(),
    maxAge,
  };
  const url = library.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: provider.scopes.join(' '),
    state: secrets.state,
    nonce: secrets.nonce,
    code_challenge: await library.calculatePKCECodeChallenge(secrets.verifier),
    code_challenge_method: 'S256',
    ...(maxAge !== undefined && { max_age: String(maxAge) }),
  });
  return { url, secrets };
}

/**
 * Sends a request to a provider.
 * @throws Unavailable if the provider does not respond; Forbidden or Unauthenticated if it rejects the request
 */
async function ask<T>({ provider, library }: OidcClient, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof library.AuthorizationResponseError) {
      const reason = error.error_description ?? error.error;
      throw new Forbidden(`${provider.label} did not sign you in: ${reason}`, { cause: error });
    }
    const isAnswer = error instanceof library.ResponseBodyError && error.status < 500;
    const isInvalid = error instanceof library.ClientError && !isTransport(error);
    if (isAnswer || isInvalid)
      throw new Unauthenticated(`The response from ${provider.label} is not valid. Sign in again.`, {
        cause: error,
      });
    throw providerAway(provider, error);
  }
}

/** Whether an error of the library means that the provider sent no usable response. */
const isTransport = ({ code }: { readonly code?: string | undefined }): boolean =>
  code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT' || code === 'OAUTH_RESPONSE_IS_NOT_CONFORM';

/**
 * Completes a sign-in: exchanges the code for tokens and verifies the ID token.
 * @param response the URL to which the provider redirected the browser
 * @throws Unavailable, Unauthenticated, Forbidden
 */
export async function finishSignIn(
  clients: OidcClients,
  provider: OidcProvider,
  { response, secrets }: { readonly response: URL; readonly secrets: SignInSecrets },
): Promise<ProvenIdentity> {
  const client = await clients.of(provider);
  const { library, configuration } = client;
  const tokens = await ask(client, () =>
    library.authorizationCodeGrant(configuration, response, {
      expectedState: secrets.state,
      expectedNonce: secrets.nonce,
      pkceCodeVerifier: secrets.verifier,
      idTokenExpected: true,
      ...(secrets.maxAge !== undefined && { maxAge: secrets.maxAge }),
    }),
  );
  const idToken = tokens.id_token ?? '';
  const verified = await verifyProviderToken(client, idToken, {
    audience: provider.clientId,
    requiredClaims: ['exp', 'iat', 'sub'],
  });
  if (!verified?.payload.sub) throw new Unauthenticated(`The ID token of ${provider.label} is not valid.`);
  const { payload } = verified;
  const subject = String(payload.sub);
  const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
  const userInfo = hasUserInfo
    ? await ask(client, () => library.fetchUserInfo(configuration, tokens.access_token, subject))
    : {};
  const sid = typeof payload.sid === 'string' ? payload.sid : undefined;
  return { provider, subject, claims: { ...userInfo, ...payload }, sid, idToken };
}

/**
 * Returns the URL that ends the user's session at a provider and then redirects the browser back. Returns undefined if
 * the provider has no such URL or does not respond.
 */
export async function signOutUrl(
  clients: OidcClients,
  provider: OidcProvider,
  { idToken, returnTo }: { readonly idToken: string | undefined; readonly returnTo: string },
): Promise<string | undefined> {
  if (!provider.logout) return undefined;
  const client = await clients.of(provider).catch(() => undefined);
  if (client?.configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
  return client.library.buildEndSessionUrl(client.configuration, {
    post_logout_redirect_uri: returnTo,
    ...(idToken !== undefined && { id_token_hint: idToken }),
  }).href;
}
