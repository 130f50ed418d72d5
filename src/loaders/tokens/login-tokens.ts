import type { Client } from '../../db/database.ts';
import type { LoginToken, Prisma } from '../../generated/prisma/client.ts';
import type { Scope } from '../../scope.ts';
import type { Credential } from '../../security/principal.ts';
import { tokenHash } from './token-hash.ts';

export type LoginTokenRow = LoginToken;

/** Reads the caller's own login tokens, oldest first. */
export const loginTokens =
  ({ db, user }: Scope): ((application: string | undefined) => Promise<LoginTokenRow[]>) =>
  async (application) => {
    if (application?.includes('\0')) return []; // PostgreSQL cannot store NUL characters in strings
    return db.prisma.loginToken.findMany({
      where: { userId: user.id, ...(application !== undefined && { application }) },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
  };

/** Matches rows by id or by the token itself. An id can never be equal to a token. */
export const loginTokensNamed = (ids: readonly string[]): Prisma.LoginTokenWhereInput => ({
  OR: [{ id: { in: [...ids] } }, { hash: { in: ids.map(tokenHash) } }],
});

export const findLoginToken = (
  { prisma }: Pick<Client, 'prisma'>,
  token: string,
): Promise<Pick<LoginToken, 'id' | 'userId' | 'application'> | null> =>
  prisma.loginToken.findUnique({
    where: { hash: tokenHash(token) },
    select: { id: true, userId: true, application: true },
  });

/** Returns a login token as the credential of a request. */
export const loginTokenOf = ({ id, application }: Pick<LoginToken, 'id' | 'application'>): Credential => ({
  kind: 'login token',
  id,
  application,
});
