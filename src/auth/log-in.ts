import type { Database } from '../db/database.ts';
import { type Account, accountOf } from '../loaders/account.ts';
import { verifyPassword } from '../store/passwords.ts';
import { createVerified } from './verified.ts';

/** The account with this name and password, if there is one; an unknown name costs as much as a wrong password. */
export type LogIn = (username: string, password: string) => Promise<Account | undefined>;

/** Checks passwords; one that was right is known for a while. */
export function createLogIn(database: Pick<Database, 'query'>): LogIn {
  const verified = createVerified();
  return async (username, password) => {
    const account = await accountOf(database, username);
    const stored = account?.passwordHash;
    if (account && stored && verified.has(stored, password)) return account;
    const isRight = await verifyPassword(stored, password);
    if (!isRight || !account || !stored) return undefined;
    verified.add(stored, password);
    return account;
  };
}
