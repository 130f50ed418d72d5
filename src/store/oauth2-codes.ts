import type { OAuth2Code } from '../generated/prisma/client.ts';
import type { Scope } from '../scope.ts';
import { hashOf } from './oauth2-tokens.ts';

/** Seconds that a code counts. */
export const codeLifetime = 600;

/** What a code stands for. */
export type Consent = Omit<OAuth2Code, 'hash'>;

/** Keeps a code until it is used or over; those that are over go. */
export async function saveCode({ db }: Pick<Scope, 'db'>, code: string, consent: Consent): Promise<void> {
  await db.prisma.oAuth2Code.deleteMany({ where: { expiresAt: { lt: new Date() } } });
  await db.prisma.oAuth2Code.create({ data: { hash: hashOf(code), ...consent } });
}

/** What a code stands for, while it has not been used. */
export const findCode = ({ db }: Pick<Scope, 'db'>, code: string): Promise<OAuth2Code | null> =>
  db.prisma.oAuth2Code.findUnique({ where: { hash: hashOf(code) } });

/** Uses a code up; false when somebody did before. */
export async function useCode({ db }: Pick<Scope, 'db'>, code: string): Promise<boolean> {
  const { count } = await db.prisma.oAuth2Code.deleteMany({ where: { hash: hashOf(code) } });
  return count > 0;
}
