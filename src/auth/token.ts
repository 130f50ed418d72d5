import { accountOf } from '../loaders/account.ts';
import { tokenHash } from '../store/login-tokens.ts';
import type { Method } from './method.ts';

/** `X-Authentication-Token`, or `?token=`, with a token that the user got for a device (§5). */
export const token: Method = () => ({
  credentialsOf: ({ headers, query }) => {
    const [value] = [headers['x-authentication-token'] ?? query.token].flat();
    return value === undefined ? undefined : String(value);
  },
  authenticate: async (text, db) => {
    const where = { hash: tokenHash(text) };
    const row = await db.prisma.loginToken.findUnique({ where, select: { userId: true } });
    const account = row && (await accountOf(db, row.userId));
    return account ? { account } : undefined;
  },
});
