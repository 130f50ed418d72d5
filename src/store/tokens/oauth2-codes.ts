import type { OAuth2Code } from '../../generated/prisma/client.ts';
import { tokenHash } from '../../loaders/tokens/token-hash.ts';
import type { Scope } from '../../scope.ts';

/** The number of seconds after which an authorization code expires. */
export const codeLifetime = 600;

/** A grant that a user has consented to. */
type Consent = Omit<OAuth2Code, 'hash'>;

/** Stores an authorization code under its hash. */
export async function saveCode({ db }: Pick<Scope, 'db'>, code: string, consent: Consent): Promise<void> {
  await db.prisma.oAuth2Code.deleteMany({ where: { expiresAt: { lt: new Date() } } });
  await db.prisma.oAuth2Code.create({ data: { hash: tokenHash(code), ...consent } });
}

/** Finds an authorization code. */
export const findCode = ({ db }: Pick<Scope, 'db'>, code: string): Promise<OAuth2Code | null> =>
  db.prisma.oAuth2Code.findUnique({ where: { hash: tokenHash(code) } });

/**
 * Deletes an authorization code when it is used.
 * @returns false if it has been used before
 */
export async function useCode({ db }: Pick<Scope, 'db'>, code: string): Promise<boolean> {
  const { count } = await db.prisma.oAuth2Code.deleteMany({ where: { hash: tokenHash(code) } });
  return count > 0;
}
