import { accountOf } from '../loaders/authorities/account.ts';
import { findAccessToken } from '../loaders/tokens/oauth2.ts';
import { endOfAccess } from '../store/tokens/oauth2-tokens.ts';
import { type AuthMethod, bearerOf, isJwt, requireReplicated } from './method.ts';
import { pathsOfScope } from './token-scope.ts';

/** `Authorization: Bearer` or `?access_token=` with an access token from /oauth2/token (§5). */
export const oauth2Method: AuthMethod = (services) => ({
  credentialsOf: (source) => {
    const bearer = bearerOf(source);
    return bearer !== undefined && !isJwt(bearer) ? bearer : undefined;
  },
  authenticate: async (token, db) => {
    const row = await findAccessToken(db, token);
    requireReplicated(db, row ?? null);
    if (!row || endOfAccess(row) <= Date.now()) return undefined;
    const account = await accountOf(db, row.userId, services);
    if (!account) return undefined;
    const { id, application, scope } = row;
    const pathPrefixes = pathsOfScope(scope);
    return {
      account,
      credential: { kind: 'OAuth token', id, application },
      expiresAt: endOfAccess(row),
      ...(pathPrefixes && { pathPrefixes }),
    };
  },
});
