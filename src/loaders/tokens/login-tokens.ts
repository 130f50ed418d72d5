import type { Client } from '../../db/database.ts';
import type { LoginToken, Prisma } from '../../generated/prisma/client.ts';
import type { Scope } from '../../scope.ts';
import { tokenHash } from './token-hash.ts';

export type LoginTokenRow = LoginToken;

/** The caller's own tokens, the oldest first. */
export const loginTokens =
  ({ db, user }: Scope): ((application: string | undefined) => Promise<LoginTokenRow[]>) =>
  async (application) => {
    if (application?.includes('\0')) return []; // PostgreSQL has no text with NUL
    return db.prisma.loginToken.findMany({
      where: { userId: user.id, ...(application !== undefined && { application }) },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
  };

/** Each UUID may be the id of a row or a token itself: these are never equal. */
export const loginTokensNamed = (ids: readonly string[]): Prisma.LoginTokenWhereInput => ({
  OR: [{ id: { in: [...ids] } }, { hash: { in: ids.map(tokenHash) } }],
});

export const findLoginToken = (
  { prisma }: Pick<Client, 'prisma'>,
  token: string,
): Promise<Pick<LoginToken, 'id' | 'userId'> | null> =>
  prisma.loginToken.findUnique({ where: { hash: tokenHash(token) }, select: { id: true, userId: true } });
