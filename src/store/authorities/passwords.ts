import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import type { Client } from '../../db/database.ts';

// Accounts without a hash are verified against it, so that they answer as slowly as a wrong password does.
const decoyHash = hash('the password of no account');

const oneAtATime = pLimit(1);
let computed = 0;

/** One hash at a time: a burst of log-ins must not take every core from other requests. */
const inTurn = <T>(compute: () => Promise<T>): Promise<T> =>
  oneAtATime(() => {
    computed += 1;
    return compute();
  });

/** Hashes that this process has computed, for new passwords and to verify those of log-ins. */
export const countPasswordHashes = (): number => computed;

/** An Argon2id hash in PHC form. */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password));

/** The hash of a new password, or of a secret. Others wait for their hashes too, so it holds no connection. */
export const newPasswordHash = ({ outside }: Pick<Client, 'outside'>, password: string): Promise<string> =>
  outside(`hash ${password}`, () => hashPassword(password));

/** False without a hash, after the same time. */
export async function verifyPassword(
  passwordHash: string | null | undefined,
  password: string,
): Promise<boolean> {
  const compared = passwordHash ?? (await decoyHash);
  const isRight = await inTurn(() => verify(compared, password));
  return isRight && typeof passwordHash === 'string';
}

/** The first of some users who has this password. */
export async function findWithPassword(
  { prisma }: Pick<Client, 'prisma'>,
  ids: readonly string[],
  password: string,
): Promise<string | undefined> {
  const users = await prisma.user.findMany({
    where: { id: { in: [...ids] }, passwordHash: { not: null } },
    select: { id: true, passwordHash: true },
  });
  for (const { id, passwordHash } of users) if (await verifyPassword(passwordHash, password)) return id;
  return undefined;
}
