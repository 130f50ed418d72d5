import type { Config } from '../config.ts';
import type { Client, Database } from '../db/database.ts';
import { translateDatabaseError } from '../db/errors.ts';
import { createTopicCache } from '../db/topic-cache.ts';
import { Unauthenticated } from '../errors.ts';
import { createLoginAttempts, type LoginAttempts } from '../security/login-attempts.ts';
import { type Principal, principals } from '../security/principal.ts';
import type { Journal, Services } from '../services.ts';
import { basicMethod } from './basic.ts';
import { consoleMethod } from './console.ts';
import { keyedDigest } from './digest.ts';
import { jwtMethod } from './jwt.ts';
import { createLogIn, type LogIn } from './log-in.ts';
import {
  type AuthenticatedAccount,
  type AuthMethod,
  type AuthRequest,
  type CredentialSource,
  isAtOrBelow,
} from './method.ts';
import { oauth2Method } from './oauth2.ts';
import { tokenCookieMethod, tokenMethod } from './token.ts';

type AuthMethodName = Config['AUTH_CHAIN'][number];

const methods: Readonly<Record<AuthMethodName, AuthMethod>> = {
  basic: basicMethod,
  token: tokenMethod,
  oauth2: oauth2Method,
  jwt: jwtMethod,
};

/**
 * Appends the cookies to the methods of the chain. Browsers send cookies with every request, so credentials that a
 * client sends explicitly take precedence.
 */
const withCookies = (chain: readonly AuthMethodName[]) => [
  ...chain.map((name) => ({ name, create: methods[name] })),
  ...(chain.includes('basic') ? [{ name: 'session', create: consoleMethod }] : []),
  ...(chain.includes('token') ? [{ name: 'token', create: tokenCookieMethod }] : []),
];

interface LogInContext {
  readonly address: string;
  readonly db: Client;
}

export interface Authentication {
  /**
   * Authenticates a request by the first method of the chain that finds credentials in it.
   * @throws Unauthenticated, without revealing which part of the credentials is wrong.
   * @throws TooManyRequests
   */
  readonly authenticate: (request: AuthRequest) => Promise<Principal>;
  /**
   * Verifies the name and password of a log-in form; undefined when they are wrong, or AUTH_CHAIN lacks `basic`.
   * @throws TooManyRequests
   */
  readonly logIn: (username: string, password: string, context: LogInContext) => ReturnType<LogIn>;
  readonly hasCredentials: (source: CredentialSource) => boolean;
  /** Seconds until another attempt is allowed. The arguments are called only while some credentials are blocked. */
  readonly secondsBlocked: (sourceOf: () => CredentialSource, addressOf: () => string) => number | undefined;
}

const cacheLimits = { size: 10_000, lifetime: 60_000 };

interface CachedCaller extends Omit<AuthenticatedAccount, 'account' | 'credential'> {
  readonly principal: Principal;
}

const isValidFor = ({ expiresAt, pathPrefixes }: CachedCaller, { path }: AuthRequest): boolean =>
  (expiresAt === undefined || Date.now() < expiresAt) &&
  (pathPrefixes === undefined || pathPrefixes.some((prefix) => isAtOrBelow(path, prefix)));

const rethrow = (error: unknown): never => {
  throw translateDatabaseError(error);
};

/** Counts failed log-ins together with all other processes that use the database. */
export function sharedLoginAttempts(
  { LOGIN_FAILURES }: Pick<Config, 'LOGIN_FAILURES'>,
  { announcements }: Pick<Database, 'announcements'>,
  { loginFailed }: Pick<Journal, 'loginFailed'>,
): LoginAttempts {
  const attempts = createLoginAttempts(LOGIN_FAILURES, performance, {
    onFailure: loginFailed,
    // A failed announcement is ignored: while the database is unavailable no log-in succeeds in any process.
    tellOthers: (failure) => void announcements.tellOthers('login-failures', failure).catch(() => {}),
  });
  announcements.on('login-failures', (failure) => {
    if (failure !== undefined) attempts.recordElsewhere(failure);
  });
  return attempts;
}

export function createAuthentication(
  services: Pick<Services, 'attempts' | 'config' | 'database' | 'journal' | 'secrets'>,
): Authentication {
  const { attempts, config, database, journal } = services;
  const logIn = createLogIn();
  const asPrincipal = principals(config.ADMIN_USERNAME);
  const chain = withCookies(config.AUTH_CHAIN).map(({ name, create }) => ({
    name,
    ...create(services, logIn),
  }));
  const callers = createTopicCache<CachedCaller>(database, 'principals', cacheLimits);
  const digest = keyedDigest();

  const principalOf = ({ account, credential }: AuthenticatedAccount): Principal => ({
    ...asPrincipal(account),
    credential,
    endedBefore: account.credentialsEndedAt,
  });

  const presented = (source: CredentialSource) => {
    for (const method of chain) {
      const credentials = method.credentialsOf(source);
      if (credentials !== undefined) return { method, credentials, account: method.accountOf?.(credentials) };
    }
    return undefined;
  };

  const authenticate: Authentication['authenticate'] = async (request) => {
    const found = presented(request);
    if (!found) throw new Unauthenticated('authentication is required');
    const { method, credentials, account } = found;
    // Checked before the cache is read; otherwise a blocked client could go on guessing a cached password.
    attempts.requireNotBlocked(request.address, account);
    const caller = await callers
      .find(digest([method.name, credentials]), () =>
        attempts.runCounted(request.address, account, async () => {
          const proof = await database.reads.run(request.meter, 'no caller', (db) =>
            method.authenticate(credentials, db),
          );
          if (!proof) return undefined;
          // The log-in that began a session has been logged already.
          if (method.name !== 'session')
            journal.loggedIn({ username: proof.account.id, method: method.name, address: request.address });
          return { ...proof, principal: principalOf(proof) };
        }),
      )
      .catch(rethrow);
    if (!caller || !isValidFor(caller, request)) throw new Unauthenticated('The credentials are not valid.');
    return caller.principal;
  };

  return {
    authenticate,
    hasCredentials: (source) => presented(source) !== undefined,
    secondsBlocked: (sourceOf, addressOf) => {
      if (!attempts.isAnyBlocked()) return undefined;
      const found = presented(sourceOf());
      return found && attempts.secondsBlocked(addressOf(), found.account);
    },
    logIn: async (username, password, { address, db }) => {
      if (!config.AUTH_CHAIN.includes('basic')) return undefined;
      const account = await attempts
        .runCounted(address, username, () => logIn(username, password, db))
        .catch(rethrow);
      if (account) journal.loggedIn({ username: account.id, method: 'form', address });
      return account;
    },
  };
}
