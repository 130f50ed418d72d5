import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import type { Client } from '../../db/database.ts';

// This hash is verified if an account has none, so that log-ins to accounts without a password take as long as others
// and cannot be recognized by their duration.
const decoyHash = hash('the password of no account');

const oneAtATime = pLimit(1);
let computed = 0;

/** Computes only one hash at a time, so that a burst of log-ins does not leave other requests without a CPU core. */
const inTurn = <T>(compute: () => Promise<T>): Promise<T> =>
  oneAtATime(() => {
    computed += 1;
    return compute();
  });

/** The number of hashes that this process has computed, for new passwords and for log-ins. */
export const countPasswordHashes = (): number => computed;

/** Computes an Argon2id hash in the PHC string format. */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password));

/** Hashes a new password or secret. No database connection is held while the hash is computed. */
export const newPasswordHash = ({ outside }: Pick<Client, 'outside'>, password: string): Promise<string> =>
  outside(`hash ${password}`, () => hashPassword(password));

/** Whether a password matches a hash. If there is no hash, the result is false, but computing it takes just as long. */
export async function verifyPassword(
  passwordHash: string | null | undefined,
  password: string,
): Promise<boolean> {
  const compared = passwordHash ?? (await decoyHash);
  const isRight = await inTurn(() => verify(compared, password));
  return isRight && typeof passwordHash === 'string';
}

/** Returns the first of the given users whose password matches. */
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
