import { accountOf } from '../loaders/authorities/account.ts';
import { findLoginToken } from '../loaders/tokens/login-tokens.ts';
import { type AuthMethod, requireReplicated } from './method.ts';

/** `X-Authentication-Token`, or `?token=`, with the login token of a device (§5). */
export const tokenMethod: AuthMethod = () => ({
  credentialsOf: ({ headers, query }) => {
    const [value] = [headers['x-authentication-token'] ?? query.token].flat();
    return value === undefined ? undefined : String(value);
  },
  authenticate: async (text, db) => {
    const row = await findLoginToken(db, text);
    requireReplicated(db, row);
    const account = row && (await accountOf(db, row.userId));
    return row && account ? { account, credential: { kind: 'login token', id: row.id } } : undefined;
  },
});
