import type { Client } from '../db/database.ts';
import { type Account, accountOf } from '../loaders/authorities/account.ts';
import { createPasswordVerifier } from './password-verifier.ts';

/**
 * Verifies a password; undefined when the user does not exist or the password is wrong. Both take the same time, so
 * that response times do not reveal user names.
 */
export type LogIn = (
  username: string,
  password: string,
  db: Pick<Client, 'query'>,
) => Promise<Account | undefined>;

export function createLogIn(): LogIn {
  const verifyPassword = createPasswordVerifier();
  return async (username, password, db) => {
    const account = await accountOf(db, username);
    const isRight = await verifyPassword(account?.passwordHash, password);
    return isRight && account ? account : undefined;
  };
}
