import OAuth2Server from '@node-oauth/oauth2-server';
import type { Request } from 'express';
import { readJwt } from '../auth/jwt.ts';
import { isAtOrBelow } from '../auth/method.ts';
import type { OAuth2Client, OAuth2Token } from '../generated/prisma/client.ts';
import { accountOf } from '../loaders/account.ts';
import type { Scope } from '../scope.ts';
import { findCode, useCode } from '../store/oauth2-codes.ts';
import {
  endOfAccess,
  hashOf,
  newTokens,
  revokeAsserted,
  revokeMadeFrom,
  revokeRefresh,
  saveTokens,
  type TokenPair,
  tokensOf,
} from '../store/oauth2-tokens.ts';
import { enabledClient } from './clients.ts';
import {
  exchangeOf,
  grants,
  jwtBearer,
  libraryClient,
  libraryOver,
  type Model,
  type Refusal,
  refusable,
} from './library.ts';
import type { Parameters } from './parameters.ts';

/** What a grant of tokens needs: within one transaction. */
export interface Granting extends Pick<Scope, 'db' | 'secrets'> {
  /** Whether a client's secret is this one. */
  readonly isSecret: (client: OAuth2Client, secret: string) => Promise<boolean>;
}

/** Where tokens are given: a JWT for other paths alone is not to become a token for all of them. */
const isForTokens = (below: readonly string[] | undefined): boolean =>
  below === undefined || below.some((place) => isAtOrBelow('oauth2/token', place));

type Saved = OAuth2Server.Token & { readonly row: OAuth2Token };

/** The last pair that a client got for a JWT of the user, while it counts. */
async function asserted({ db, secrets }: Granting, clientId: number, userId: string) {
  const where = { clientId, userId, codeHash: null };
  const row = await db.prisma.oAuth2Token.findFirst({ where, orderBy: { id: 'desc' } });
  const pair = row && endOfAccess(row) > Date.now() ? tokensOf({ secrets }, row) : undefined;
  return row && pair && { row, pair };
}

const saved = (pair: TokenPair, row: OAuth2Token, client: OAuth2Server.Client): Saved => ({
  ...pair,
  ...{ client, user: { id: row.userId }, scope: row.scope, row },
  accessTokenExpiresAt: new Date(endOfAccess(row)),
});

/** RFC 7523: a JWT of ours for tokens; the same ones for as long as they count. */
function jwtGrant(granting: Granting): typeof OAuth2Server.AbstractGrantType {
  return class JwtGrant extends OAuth2Server.AbstractGrantType {
    override async handle(request: OAuth2Server.Request, client: OAuth2Server.Client): Promise<Saved> {
      const { assertion } = request.body as Parameters;
      if (!assertion) throw new OAuth2Server.InvalidRequestError('Missing parameter: `assertion`');
      const claims = await readJwt(granting.secrets.jwt, assertion);
      const account = claims && isForTokens(claims.below) && (await accountOf(granting.db, claims.username));
      if (!account) throw new OAuth2Server.InvalidGrantError('Invalid grant: the assertion does not count');
      const clientId = Number(client.id);
      const known = await asserted(granting, clientId, account.id);
      if (known) return saved(known.pair, known.row, client);
      await revokeAsserted(granting, { clientId, userId: account.id });
      const scope = this.getScope(request) ?? [];
      const pair = newTokens();
      const grant = { clientId, userId: account.id, scope, codeHash: null };
      return saved(pair, await saveTokens(granting, pair, grant), client);
    }
  } as typeof OAuth2Server.AbstractGrantType;
}

/** How the library reads and writes codes and tokens, for one request. */
function modelOf(granting: Granting): Model {
  const { db } = granting;
  /** The code that the tokens to be replaced began with. */
  let lineage: string | null = null;
  return {
    getClient: async (clientId, secret) => {
      const client = await enabledClient(db, clientId);
      if (!client || (client.secretHash && !(await granting.isSecret(client, secret ?? ''))))
        return undefined;
      return libraryClient(client);
    },
    getAuthorizationCode: async (authorizationCode) => {
      const code = await findCode(granting, authorizationCode);
      if (!code) {
        await revokeMadeFrom(granting, authorizationCode);
        return undefined;
      }
      const challenge = code.challenge && {
        codeChallenge: code.challenge,
        codeChallengeMethod: code.challengeMethod ?? 'plain',
      };
      return {
        ...{ authorizationCode, expiresAt: code.expiresAt, scope: code.scope, ...challenge },
        redirectUri: code.isUriGiven ? code.redirectUri : '',
        client: { id: String(code.clientId), grants: [] },
        user: { id: code.userId },
      };
    },
    revokeAuthorizationCode: async ({ authorizationCode }) => {
      if (await useCode(granting, authorizationCode)) return true;
      await revokeMadeFrom(granting, authorizationCode);
      return false;
    },
    getRefreshToken: async (refreshToken) => {
      const row = await db.prisma.oAuth2Token.findUnique({ where: { refreshHash: hashOf(refreshToken) } });
      if (!row) return undefined;
      lineage = row.codeHash;
      const client = { id: String(row.clientId), grants: [] };
      return { refreshToken, client, user: { id: row.userId }, scope: row.scope };
    },
    revokeToken: ({ refreshToken }) => revokeRefresh(granting, refreshToken),
    saveToken: async ({ authorizationCode, scope = [] }, client, user) => {
      const pair = newTokens();
      const codeHash = typeof authorizationCode === 'string' ? hashOf(authorizationCode) : lineage;
      const grant = { clientId: Number(client.id), userId: String(user.id), scope, codeHash };
      return saved(pair, await saveTokens(granting, pair, grant), client);
    },
  };
}

/** The answer to a client that gets tokens. */
export interface Given {
  readonly access_token: string;
  readonly token_type: 'bearer';
  /** Seconds that are left. */
  readonly expires_in: number;
  readonly refresh_token: string;
}

/** The library would ask for a secret first, and say that the client is wrong. */
function refusedGrant({ grant_type: grant }: Parameters): Refusal | undefined {
  if (grant === undefined) {
    return { error: 'invalid_request', error_description: 'grant_type: is missing, or the body is no form' };
  }
  if (grants.includes(grant)) return undefined;
  return {
    error: 'unsupported_grant_type',
    error_description: `grant_type: is none of ${grants.join(', ')}`,
  };
}

/**
 * Gives tokens for a code, a refresh token or a JWT. What is refused is an answer too, since it may have written: a
 * code shown twice revokes tokens.
 */
export async function grantTokens(
  granting: Granting,
  request: Request,
  parameters: Parameters,
): Promise<{ made: Given } | { refused: Refusal }> {
  const refused = refusedGrant(parameters);
  if (refused) return { refused };
  const library = libraryOver(modelOf(granting), { [jwtBearer]: jwtGrant(granting) });
  const outcome = await refusable(() => library.token(...exchangeOf(request, {}, parameters)));
  if ('refused' in outcome) return outcome;
  const { accessToken, refreshToken = '', row } = outcome.made as Saved;
  const seconds = Math.max(1, Math.round((endOfAccess(row) - Date.now()) / 1000));
  const tokens = { access_token: accessToken, token_type: 'bearer', refresh_token: refreshToken } as const;
  return { made: { ...tokens, expires_in: seconds } };
}
