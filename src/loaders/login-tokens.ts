import type { LoginToken } from '../generated/prisma/client.ts';
import type { Scope } from '../scope.ts';

export type LoginTokenRow = LoginToken;

/** The caller's own login tokens, of one application when it is named; the oldest first. */
export const loginTokens =
  ({ db, user }: Scope): ((application: string | undefined) => Promise<LoginTokenRow[]>) =>
  async (application) => {
    if (application?.includes('\0')) return []; // PostgreSQL has no text with NUL
    return db.prisma.loginToken.findMany({
      where: { userId: user.id, ...(application !== undefined && { application }) },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
  };
