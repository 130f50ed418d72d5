import type { OidcProvider } from '../../security/identity-settings.ts';
import { clockTolerance, type OidcClients } from './clients.ts';
import { verifyProviderToken } from './verify-token.ts';

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

/** The maximum age of a logout token, in seconds. */
const maxAge = 300;

/** The sessions that a provider ends: a single one, or all sessions of a user. */
export interface EndedAtProvider {
  readonly subject: string | undefined;
  readonly sid: string | undefined;
  /** Sessions that began later are not ended, so that resending an old token does not affect them. */
  readonly begunBefore: Date;
}

/**
 * Verifies a logout token (OpenID Connect Back-Channel Logout). @returns undefined if it is not valid.
 * @throws Unavailable if the keys of the provider cannot be read
 */
export async function readLogoutToken(
  clients: OidcClients,
  provider: OidcProvider,
  token: string,
): Promise<EndedAtProvider | undefined> {
  const verified = await verifyProviderToken(await clients.of(provider), token, {
    audience: provider.clientId,
    requiredClaims: ['iat', 'jti', 'events'],
  });
  if (!verified) return undefined;
  const { type, payload } = verified;
  const { sub, sid, iat = 0, events, nonce } = payload;
  const isLogout =
    typeof events === 'object' &&
    events !== null &&
    logoutEvent in events &&
    nonce === undefined &&
    (type === undefined || type === 'logout+jwt' || type === 'jwt') &&
    Date.now() / 1000 - iat < maxAge;
  const ended = {
    subject: sub,
    sid: typeof sid === 'string' ? sid : undefined,
    begunBefore: new Date((iat + 1 + clockTolerance) * 1000),
  };
  return isLogout && (ended.subject !== undefined || ended.sid !== undefined) ? ended : undefined;
}
