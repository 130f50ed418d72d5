import type { Client } from '../db/database.ts';
import { type Account, accountOf } from '../loaders/authorities/account.ts';
import { createPasswordVerifier } from './password-verifier.ts';

/** An unknown name takes as long as a wrong password. */
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
