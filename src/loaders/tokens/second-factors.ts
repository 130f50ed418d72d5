import type { Scope } from '../../scope.ts';

export interface SecondFactorRow {
  readonly createdAt: Date;
  /** The number of recovery codes that have not been used. */
  readonly recoveryCodes: number;
}

/** Reads the caller's own second factor. */
export const ownSecondFactor =
  ({ db, user }: Scope): (() => Promise<SecondFactorRow | null>) =>
  async () => {
    const found = await db.prisma.secondFactor.findUnique({
      where: { userId: user.id },
      select: { createdAt: true, recoveryCodes: { select: { hash: true } } },
    });
    return found && { createdAt: found.createdAt, recoveryCodes: found.recoveryCodes.length };
  };
