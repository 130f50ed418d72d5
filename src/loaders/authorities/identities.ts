import type { Client } from '../../db/database.ts';
import type { Identity } from '../../generated/prisma/client.ts';
import { isPossibleKey } from '../../model/names.ts';

export type IdentityRow = Identity;

/** Whether a user id assigned by an identity provider can be stored. OpenID Connect limits it to 255 characters. */
export const isSubject = (subject: string): boolean =>
  subject !== '' && subject.length <= 255 && isPossibleKey(subject);

/** Finds the identity with the given id at an identity provider; null if no user has this identity. */
export const findIdentity = async (
  { prisma }: Pick<Client, 'prisma'>,
  provider: string,
  subject: string,
): Promise<IdentityRow | null> =>
  isSubject(subject)
    ? prisma.identity.findUnique({ where: { provider_subject: { provider, subject } } })
    : null;

/**
 * Returns the identity with which the user began a session at an identity provider; undefined if the session has ended.
 */
export async function identityOfSession(
  { prisma }: Pick<Client, 'prisma'>,
  id: string,
): Promise<Pick<IdentityRow, 'provider' | 'userId'> | undefined> {
  const select = { identity: { select: { provider: true, userId: true } } };
  return (await prisma.identitySession.findUnique({ where: { id }, select }))?.identity;
}
