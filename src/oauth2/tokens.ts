import OAuth2Server from '@node-oauth/oauth2-server';
import type { Request } from 'express';
import { accountOfJwt, readJwt } from '../auth/jwt.ts';
import { isAtOrBelow } from '../auth/method.ts';
import { refreshedScope } from '../auth/token-scope.ts';
import type { OAuth2Client, OAuth2Token } from '../generated/prisma/client.ts';
import {
  decryptTokens,
  findAssertedToken,
  findEnabledClient,
  findRefreshToken,
  type TokenPair,
} from '../loaders/tokens/oauth2.ts';
import { tokenHash } from '../loaders/tokens/token-hash.ts';
import type { Scope, Using } from '../scope.ts';
import { lockCredentials } from '../store/row-locks/lock-credentials.ts';
import { findCode, useCode } from '../store/tokens/oauth2-codes.ts';
import {
  endOfAccess,
  newTokens,
  prolongTokens,
  revokeAsserted,
  revokeByCode,
  revokeRefresh,
  saveTokens,
} from '../store/tokens/oauth2-tokens.ts';
import {
  createOAuth2Server,
  grantTypes,
  jwtBearer,
  type LibraryModel,
  libraryClient,
  messagesFor,
  type OAuth2Refusal,
  outcomeOf,
} from './library.ts';
import type { OAuth2Parameters } from './parameters.ts';

interface TokenGrantContext extends Pick<Scope, 'db'>, Using<'identityProviders' | 'secrets'> {
  /** The authenticated client. */
  readonly client: OAuth2Client;
}

const latest = Date.UTC(9999, 11, 31);

/**
 * Returns whether a JWT can be exchanged for tokens. If it is restricted to certain paths, these must include the token
 * endpoint; otherwise it could be exchanged for an unrestricted token.
 */
const isForTokens = (pathPrefixes: readonly string[] | undefined): boolean =>
  pathPrefixes === undefined || pathPrefixes.some((prefix) => isAtOrBelow('oauth2/token', prefix));

type SavedToken = OAuth2Server.Token & { readonly row: OAuth2Token };

/**
 * Returns the tokens that the client last received for one of the user's JWTs. Returns undefined if they have expired.
 */
async function findAsserted(context: TokenGrantContext, clientId: number, userId: string) {
  const row = await findAssertedToken(context.db, { clientId, userId });
  const pair = row && endOfAccess(row) > Date.now() ? decryptTokens(context, row) : undefined;
  return row && pair && { row, pair };
}

const libraryToken = (pair: TokenPair, row: OAuth2Token, client: OAuth2Server.Client): SavedToken => ({
  ...pair,
  client,
  user: { id: row.userId },
  scope: row.scope,
  row,
  accessTokenExpiresAt: new Date(endOfAccess(row)),
});

/**
 * Locks the credentials of a user and returns the account. Without the lock, the credentials could be revoked
 * before the tokens are saved, and concurrent requests with JWTs would each create tokens.
 */
async function lockedAccount(
  { db, services }: TokenGrantContext,
  claims: Parameters<typeof accountOfJwt>[1],
) {
  return (await lockCredentials(db, claims.username, 'NO KEY UPDATE')) && accountOfJwt(db, claims, services);
}

/**
 * Grants tokens for a JWT that this server accepts (RFC 7523). Until the tokens expire, further requests for the same
 * user return the same tokens.
 */
function jwtGrant(context: TokenGrantContext): typeof OAuth2Server.AbstractGrantType {
  return class JwtGrant extends OAuth2Server.AbstractGrantType {
    override async handle(request: OAuth2Server.Request, client: OAuth2Server.Client): Promise<SavedToken> {
      const { assertion } = request.body as OAuth2Parameters;
      if (!assertion) throw new OAuth2Server.InvalidRequestError('Missing parameter: `assertion`');
      const claims = await readJwt(context.services.secrets.jwt, assertion);
      const account = claims && isForTokens(claims.pathPrefixes) && (await lockedAccount(context, claims));
      if (!account) throw new OAuth2Server.InvalidGrantError('Invalid grant: the assertion is not valid');
      const clientId = Number(client.id);
      const endsAt = new Date(Math.min(claims.expiresAt, latest));
      const asserted = await findAsserted(context, clientId, account.id);
      if (asserted)
        return libraryToken(asserted.pair, await prolongTokens(context, asserted.row, endsAt), client);
      await revokeAsserted(context, { clientId, userId: account.id });
      const scope = this.getScope(request) ?? [];
      const pair = newTokens();
      const grant = { clientId, userId: account.id, scope, codeHash: null, endsAt };
      return libraryToken(pair, await saveTokens(context, pair, grant), client);
    }
  } as typeof OAuth2Server.AbstractGrantType;
}

function modelOf(context: TokenGrantContext): LibraryModel {
  const { db } = context;
  /**
   * The origin of the tokens that are being refreshed: a JWT or an authorization code. The new tokens inherit it. If
   * the code is used a second time, all tokens that descend from it are revoked.
   */
  let origin: Pick<OAuth2Token, 'codeHash' | 'endsAt' | 'scope'> = {
    codeHash: null,
    endsAt: null,
    scope: [],
  };
  return {
    getClient: async (clientId) => {
      const client = await findEnabledClient(db, clientId);
      // Rejects the client if its secret has been changed since the secret in the request was verified.
      return client && client.secretHash === context.client.secretHash ? libraryClient(client) : undefined;
    },
    getAuthorizationCode: async (authorizationCode) => {
      const code = await findCode(context, authorizationCode);
      if (!code) {
        await revokeByCode(context, authorizationCode);
        return undefined;
      }
      await lockCredentials(db, code.userId);
      const challenge = code.challenge && {
        codeChallenge: code.challenge,
        codeChallengeMethod: code.challengeMethod ?? 'plain',
      };
      return {
        authorizationCode,
        expiresAt: code.expiresAt,
        scope: code.scope,
        ...challenge,
        redirectUri: code.isUriGiven ? code.redirectUri : '',
        client: { id: String(code.clientId), grants: [] },
        user: { id: code.userId },
      };
    },
    revokeAuthorizationCode: async ({ authorizationCode }) => {
      if (await useCode(context, authorizationCode)) return true;
      await revokeByCode(context, authorizationCode);
      return false;
    },
    getRefreshToken: async (refreshToken) => {
      const row = await findRefreshToken(db, refreshToken);
      if (!row) return undefined;
      await lockCredentials(db, row.userId);
      origin = row;
      const client = { id: String(row.clientId), grants: [] };
      return { refreshToken, client, user: { id: row.userId }, scope: row.scope };
    },
    revokeToken: ({ refreshToken }) => revokeRefresh(context, refreshToken),
    saveToken: async ({ authorizationCode, scope = [] }, client, user) => {
      const pair = newTokens();
      const codeHash = typeof authorizationCode === 'string' ? tokenHash(authorizationCode) : origin.codeHash;
      const grant = {
        clientId: Number(client.id),
        userId: String(user.id),
        scope: refreshedScope(scope, origin.scope),
        codeHash,
        endsAt: origin.endsAt,
      };
      return libraryToken(pair, await saveTokens(context, pair, grant), client);
    },
  };
}

export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: 'bearer';
  readonly expires_in: number;
  readonly refresh_token: string;
}

/**
 * Checks the grant type before the library does, because the library first verifies the client's secret and would
 * respond to an unsupported grant type with `invalid_client`.
 */
export function refusedGrant({ grant_type: grant }: OAuth2Parameters): OAuth2Refusal | undefined {
  if (grant === undefined) {
    return {
      error: 'invalid_request',
      error_description: 'grant_type is missing, or the body is not a form.',
    };
  }
  if (grantTypes.includes(grant)) return undefined;
  return {
    error: 'unsupported_grant_type',
    error_description: `grant_type is not one of ${grantTypes.join(', ')}.`,
  };
}

/**
 * Grants tokens for an authorization code, a refresh token or a JWT. A rejection is returned instead of thrown, so that
 * the transaction commits: when a code is used a second time, the tokens that were granted for it are revoked.
 */
export async function grantTokens(
  context: TokenGrantContext,
  request: Request,
  parameters: OAuth2Parameters,
): Promise<{ made: TokenResponse } | { refused: OAuth2Refusal }> {
  const server = createOAuth2Server(modelOf(context), { [jwtBearer]: jwtGrant(context) });
  const outcome = await outcomeOf(() => server.token(...messagesFor(request, {}, parameters)));
  if ('refused' in outcome) return outcome;
  const { accessToken, refreshToken = '', row } = outcome.made as SavedToken;
  const seconds = Math.max(1, Math.round((endOfAccess(row) - Date.now()) / 1000));
  const tokens = { access_token: accessToken, token_type: 'bearer', refresh_token: refreshToken } as const;
  return { made: { ...tokens, expires_in: seconds } };
}
