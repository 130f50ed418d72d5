import { LRUCache } from 'lru-cache';
import type { DirectoryUser, UserDirectory } from '../ldap/directory.ts';
import { accountOf } from '../loaders/authorities/account.ts';
import { findIdentity } from '../loaders/authorities/identities.ts';
import type { Services } from '../services.ts';
import { keyedDigest } from './digest.ts';
import { signInWithDirectory } from './identity-sign-in.ts';
import type { DirectoryLogIn, LoggedInAccount } from './log-in.ts';

/** Accepted credentials are cached for a minute, so that repeated requests with them do not contact the directory. */
const limits = { max: 10_000, ttl: 60_000 };

/** A user whose password a directory has accepted, with the state of the account at that time. */
interface AcceptedUser extends Pick<DirectoryUser, 'subject'> {
  readonly directory: string;
  readonly identityId: string;
  readonly endedBefore: number | undefined;
}

/**
 * Verifies a password at the first directory that contains a user with the given name. The password is not sent to
 * other directories.
 * @returns the user; undefined if no directory contains the name or the password is wrong
 * @throws Unavailable if a directory does not respond or too many sign-ins are waiting for it
 */
export async function verifyAtDirectories(
  directories: readonly UserDirectory[],
  username: string,
  password: string,
): Promise<DirectoryUser | undefined> {
  for (const directory of directories) {
    const result = await directory.verify(username, password);
    if (result === 'wrong') return undefined;
    if (result !== 'unknown') return result;
  }
  return undefined;
}

/**
 * Returns a function that verifies a password at the directories and signs the user in. It creates the account if the
 * settings allow it, and applies the directory's rules for properties and groups. Returns undefined if there are no
 * directories.
 */
export function createDirectoryLogIn(
  services: Pick<Services, 'blobs' | 'config' | 'database' | 'identityProviders' | 'model' | 'secrets'>,
  directories: readonly UserDirectory[],
): DirectoryLogIn | undefined {
  if (directories.length === 0) return undefined;
  const { database } = services;
  const digest = keyedDigest();
  const accepted = new LRUCache<string, AcceptedUser>(limits);

  /**
   * Returns the account for cached credentials; undefined if they are not cached, or if the identity or the user's
   * credentials have been revoked since.
   */
  const accountOfAccepted = async (key: string): Promise<LoggedInAccount | undefined> => {
    const known = accepted.get(key);
    if (!known) return undefined;
    const { directory, subject, identityId, endedBefore } = known;
    const identity = await findIdentity(database, directory, subject);
    const isSame = identity?.id === identityId && identity.endedAt === null;
    const account = isSame ? await accountOf(database, identity.userId, services) : null;
    if (account && account.credentialsEndedAt?.getTime() === endedBefore) return { ...account, directory };
    accepted.delete(key);
    return undefined;
  };

  return async ({ username, password, isRepeated = false }) => {
    const key = digest([username, password]);
    const known = isRepeated ? await accountOfAccepted(key) : undefined;
    if (known) return known;
    const provenAt = new Date();
    const user = await verifyAtDirectories(directories, username, password);
    if (!user) return undefined;
    const { account, identityId } = await signInWithDirectory(services, database, user, { provenAt });
    const directory = user.provider.name;
    const endedBefore = account.credentialsEndedAt?.getTime();
    accepted.set(key, { directory, subject: user.subject, identityId, endedBefore });
    return { ...account, directory };
  };
}
