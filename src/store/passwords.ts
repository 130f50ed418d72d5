import { hash, verify } from '@node-rs/argon2';
import { oneAtATime } from '../one-at-a-time.ts';

/** A hash nobody's password has: checked against when there is no user, so that the answer takes as long. */
const nobody = hash('a password that nobody has');

/** One hash at a time: a burst of logins must not take every core from other requests. */
const inTurn = oneAtATime();

/** An Argon2id hash in PHC form. */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password));

/** Whether the password is the one hashed; takes the same time when there is no hash. */
export async function verifyPassword(
  passwordHash: string | null | undefined,
  password: string,
): Promise<boolean> {
  const known = passwordHash ?? (await nobody);
  const isRight = await inTurn(() => verify(known, password));
  return isRight && typeof passwordHash === 'string';
}
