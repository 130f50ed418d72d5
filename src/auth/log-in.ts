import type { Client } from '../db/database.ts';
import { type Account, accountOf } from '../loaders/account.ts';
import { verifyPassword } from '../store/passwords.ts';
import { createVerified } from './verified.ts';

/** The account with this name and password, if there is one; an unknown name costs as much as a wrong password. */
export type LogIn = (
  username: string,
  password: string,
  db: Pick<Client, 'query'>,
) => Promise<Account | undefined>;

/** Checks passwords; one that was right is known for a while. */
export function createLogIn(): LogIn {
  const verified = createVerified();
  return async (username, password, db) => {
    const account = await accountOf(db, username);
    const stored = account?.passwordHash;
    if (account && stored && verified.has(stored, password)) return account;
    const isRight = await verifyPassword(stored, password);
    if (!isRight || !account || !stored) return undefined;
    verified.add(stored, password);
    return account;
  };
}
