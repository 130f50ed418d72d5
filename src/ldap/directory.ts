import type { Entry } from 'ldapts';
import pLimit from 'p-limit';
import { AppError, Conflict, Unavailable } from '../errors.ts';
import type { Claims } from '../security/identity-rules.ts';
import type { IdentityProvider, LdapProvider } from '../security/identity-settings.ts';
import { objectGuid, subjectOf, textsOf } from './attributes.ts';
import { createServerAccess, directoryAway, type LdapConnection } from './connections.ts';
import { everyUserFilter, userFilter } from './filters.ts';
import { groupNamesOf, type KnownGroups } from './groups.ts';

/** A user of a directory. */
export interface DirectoryUser {
  readonly provider: LdapProvider;
  readonly subject: string;
  /** The attributes that rules use, and the names of groups as "groups" if the directory is asked for these. */
  readonly claims: Claims;
}

export interface UserDirectory {
  readonly provider: LdapProvider;
  /**
   * Verifies the password of a user by a bind.
   * @returns `unknown` if nobody has the name; `wrong` if the password is refused, or if several users have the name
   * @throws Unavailable if no server responds, or too many sign-ins are waiting
   */
  verify(username: string, password: string): Promise<DirectoryUser | 'unknown' | 'wrong'>;
  /** Connects to a server, as the account that searches. @throws ProviderAway */
  check(): Promise<void>;
  /**
   * Reads all users.
   * @throws Unavailable; Conflict if the result is not complete
   */
  users(): Promise<DirectoryUser[]>;
}

/** The number of passwords that are verified at the same time, and the number of sign-ins that wait for that. */
const [maxConcurrent, maxWaiting] = [8, 16];

/** The maximum number of characters in the name of a user. */
const maxName = 255;

/** Whether a directory can know a name. Control characters would make names look equal that differ. */
const isPossibleName = (username: string): boolean =>
  username.trim() !== '' && username.length <= maxName && !/\p{Cc}/u.test(username);

const groupsClaim = 'groups';

/** The attributes of users that the rules use. */
function claimNames({ users, groups }: LdapProvider): string[] {
  const names = [users.id, ...Object.values(users.properties), ...users.groups.map(({ claim }) => claim)];
  return [...new Set(names)].filter((name) => !groups || name !== groupsClaim);
}

function requestOf(provider: LdapProvider) {
  const isGuid = provider.subject.toLowerCase() === objectGuid.toLowerCase();
  const subject = isGuid ? objectGuid : provider.subject;
  const own = provider.groups?.by === 'memberOf' ? ['memberOf'] : [];
  return {
    scope: 'sub' as const,
    attributes: [...new Set([subject, ...claimNames(provider), ...own])],
    explicitBufferAttributes: isGuid ? [objectGuid] : [],
  };
}

async function claimsOf(
  connection: LdapConnection,
  provider: LdapProvider,
  { user, known }: { readonly user: Entry; readonly known: KnownGroups },
): Promise<Claims> {
  const attributes = claimNames(provider).flatMap((name) => {
    const [first, ...others] = textsOf(user, name);
    if (first === undefined) return [];
    return [[name, others.length === 0 ? first : [first, ...others]] as const];
  });
  const { groups } = provider;
  return {
    ...Object.fromEntries(attributes),
    ...(groups && { [groupsClaim]: await groupNamesOf(connection, groups, { user, known }) }),
  };
}

const incomplete = ({ label }: LdapProvider, fault: string, cause?: unknown): Conflict =>
  new Conflict(`${label}: ${fault}`, { cause });

/** Opens a directory. Nothing is requested from it until it is used. */
export function openDirectory(provider: LdapProvider): UserDirectory {
  const withServer = createServerAccess(provider);
  const turns = pLimit(maxConcurrent);
  const { base, label, subject: subjectAttribute } = provider;

  const verify = async (
    connection: LdapConnection,
    username: string,
    password: string,
  ): Promise<DirectoryUser | 'unknown' | 'wrong'> => {
    const { entries } = await connection.search(base, {
      ...requestOf(provider),
      filter: userFilter(provider.filter, username),
      sizeLimit: 2,
    });
    const [user, ...others] = entries;
    if (user === undefined || others.length > 0) {
      // The same number of requests is sent as for other names, so that the response time does not reveal which names exist.
      await connection.bindAgain();
      return user === undefined ? 'unknown' : 'wrong';
    }
    if (!(await connection.verify(user.dn, password))) return 'wrong';
    await connection.bindAgain(); // because users often cannot read groups
    const subject = subjectOf(user, subjectAttribute);
    if (subject === undefined)
      throw new Conflict(`${label} does not identify ${user.dn} by the attribute ${subjectAttribute}.`);
    return { provider, subject, claims: await claimsOf(connection, provider, { user, known: new Map() }) };
  };

  const readAll = async (connection: LdapConnection): Promise<DirectoryUser[]> => {
    const { entries, isPartial } = await connection.search(base, {
      ...requestOf(provider),
      filter: everyUserFilter(provider.filter),
      paged: { pageSize: 500 },
    });
    if (isPartial) throw incomplete(provider, 'some users are on other servers, to which the result refers.');
    const known: KnownGroups = new Map();
    const users = new Map<string, DirectoryUser>();
    for (const user of entries) {
      const subject = subjectOf(user, subjectAttribute);
      if (subject === undefined)
        throw incomplete(provider, `${user.dn} is not identified by the attribute ${subjectAttribute}.`);
      if (users.has(subject))
        throw incomplete(provider, `several users have the ${subjectAttribute} ${subject}.`);
      users.set(subject, {
        provider,
        subject,
        claims: await claimsOf(connection, provider, { user, known }),
      });
    }
    return [...users.values()];
  };

  return {
    provider,
    verify: async (username, password) => {
      if (!isPossibleName(username)) return 'unknown';
      // Both are refused before a bind: servers accept an empty password, and some cut passwords at a zero byte.
      if (password === '' || password.includes('\0')) return 'wrong';
      if (turns.pendingCount >= maxWaiting)
        throw new Unavailable(`Too many users are signing in with ${label}. Try again later.`);
      try {
        return await turns(() => withServer((connection) => verify(connection, username, password)));
      } catch (error) {
        throw error instanceof AppError ? error : directoryAway(provider, error);
      }
    },
    check: () => withServer(async () => {}),
    users: async () => {
      try {
        return await withServer(readAll, 'each request');
      } catch (error) {
        if (error instanceof AppError) throw error;
        throw incomplete(provider, `the users cannot be read completely: ${(error as Error).message}`, error);
      }
    },
  };
}

/** Opens the directories among the identity providers, in their order. */
export const openDirectories = (providers: readonly IdentityProvider[]): readonly UserDirectory[] =>
  providers.filter((provider) => provider.kind === 'ldap').map(openDirectory);
