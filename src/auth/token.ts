import { accountOf } from '../loaders/authorities/account.ts';
import { findLoginToken, loginTokenOf } from '../loaders/tokens/login-tokens.ts';
import { cookieOf } from './cookies.ts';
import { type AuthMethod, requireReplicated } from './method.ts';

/** Creates an authentication method that accepts the login tokens of devices (§5). */
const tokenIn =
  (credentialsOf: ReturnType<AuthMethod>['credentialsOf']): AuthMethod =>
  (services) => ({
    credentialsOf,
    authenticate: async (text, db) => {
      const row = await findLoginToken(db, text);
      requireReplicated(db, row);
      const account = row && (await accountOf(db, row.userId, services));
      return row && account ? { account, credential: loginTokenOf(row) } : undefined;
    },
  });

/** Accepts login tokens in the header `X-Authentication-Token` or the query parameter `token`. */
export const tokenMethod = tokenIn(({ headers, query }) => {
  const [value] = [headers['x-authentication-token'] ?? query.token].flat();
  return value === undefined ? undefined : String(value);
});

export const tokenCookieMethod = tokenIn(
  ({ headers }) => cookieOf(headers, 'X-Authentication-Token') || undefined,
);
