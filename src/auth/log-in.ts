import type { Client } from '../db/database.ts';
import { type Account, accountOf } from '../loaders/authorities/account.ts';
import type { Services } from '../services.ts';
import { createPasswordVerifier } from './password-verifier.ts';

/** The account of a user whose name and password have been verified. */
export interface LoggedInAccount extends Account {
  /** The name of the directory that verified the password; absent if this server verified it. */
  readonly directory?: string;
}

export interface Credentials {
  readonly username: string;
  readonly password: string;
  /** Whether the client sends the password with every request, instead of once when the user signs in. */
  readonly isRepeated?: boolean;
}

/**
 * Verifies a password. Returns undefined if the user does not exist or the password is wrong. Both cases take the
 * same time, so that response times do not reveal which user names exist.
 */
export type LogIn = (
  credentials: Credentials,
  db: Pick<Client, 'query'>,
) => Promise<LoggedInAccount | undefined>;

/** Verifies a password at the directories. Returns undefined if it is not accepted. */
export type DirectoryLogIn = (credentials: Credentials) => Promise<LoggedInAccount | undefined>;

/** @param atDirectory verifies the passwords of users without a local password; undefined without directories */
export function createLogIn(
  services: Pick<Services, 'identityProviders'>,
  atDirectory?: DirectoryLogIn,
): LogIn {
  const verifyPassword = createPasswordVerifier();
  return async (credentials, db) => {
    const account = await accountOf(db, credentials.username, services);
    // For users with a local password, directories are not asked, because the name may belong to someone else there.
    const found = account?.passwordHash ? undefined : await atDirectory?.(credentials);
    if (found) return found;
    const isRight = await verifyPassword(account?.passwordHash, credentials.password);
    return isRight && account ? account : undefined;
  };
}
