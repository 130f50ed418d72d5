import type { Client } from '../../db/database.ts';
import type { Session } from '../../generated/prisma/client.ts';
import type { Scope } from '../../scope.ts';

export type SessionRow = Session;

/** Reads the caller's own sessions that have not expired, oldest first. */
export const ownSessions =
  ({ db, user }: Scope): (() => Promise<SessionRow[]>) =>
  async () =>
    db.prisma.session.findMany({
      where: { userId: user.id, endsAt: { gt: new Date() } },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });

export const findSession = (
  { prisma }: Pick<Client, 'prisma'>,
  id: string,
): Promise<Pick<Session, 'userId'> | null> =>
  prisma.session.findUnique({ where: { id }, select: { userId: true } });
