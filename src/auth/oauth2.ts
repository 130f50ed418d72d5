import { accountOf } from '../loaders/authorities/account.ts';
import { findAccessToken } from '../loaders/tokens/oauth2.ts';
import { endOfAccess } from '../store/tokens/oauth2-tokens.ts';
import { type AuthMethod, bearerOf, isJwt, requireReplicated } from './method.ts';

/** `Authorization: Bearer` or `?access_token=` with an access token from /oauth2/token (§5). */
export const oauth2Method: AuthMethod = (services) => ({
  credentialsOf: (source) => {
    const bearer = bearerOf(source);
    return bearer !== undefined && !isJwt(bearer) ? bearer : undefined;
  },
  authenticate: async (token, db) => {
    const row = await findAccessToken(db, token);
    requireReplicated(db, row);
    if (!row || endOfAccess(row) <= Date.now()) return undefined;
    const account = await accountOf(db, row.userId, services);
    if (!account) return undefined;
    return { account, credential: { kind: 'OAuth token', id: row.id }, expiresAt: endOfAccess(row) };
  },
});
