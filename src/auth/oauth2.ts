import { accountOf } from '../loaders/account.ts';
import { endOfAccess, hashOf } from '../store/oauth2-tokens.ts';
import { bearerOf, isJwt, type Method } from './method.ts';

/** `Authorization: Bearer`, or `?access_token=`, with a token that a client got at /oauth2/token (§5). */
export const oauth2: Method = () => ({
  credentialsOf: (visitor) => {
    const bearer = bearerOf(visitor);
    return bearer !== undefined && !isJwt(bearer) ? bearer : undefined;
  },
  authenticate: async (token, db) => {
    const row = await db.prisma.oAuth2Token.findFirst({
      where: { accessHash: hashOf(token), client: { enabled: true } },
      select: { userId: true, createdAt: true },
    });
    if (!row || endOfAccess(row) <= Date.now()) return undefined;
    const account = await accountOf(db, row.userId);
    return account ? { account, until: endOfAccess(row) } : undefined;
  },
});
