import type { Config } from '../config.ts';
import type { Client, Database } from '../db/database.ts';
import { translateDatabaseError } from '../db/errors.ts';
import { createTopicCache } from '../db/topic-cache.ts';
import { Unauthenticated } from '../errors.ts';
import { accountOf } from '../loaders/authorities/account.ts';
import { createLoginAttempts, type LoginAttempts } from '../security/login-attempts.ts';
import { type Principal, principals } from '../security/principal.ts';
import type { Journal, Services } from '../services.ts';
import { redeemFactorCode } from '../store/tokens/second-factor.ts';
import { basicMethod } from './basic.ts';
import { consoleMethod } from './console.ts';
import { keyedDigest } from './digest.ts';
import { jwtMethod } from './jwt.ts';
import { createLogIn, type DirectoryLogIn, type LogIn } from './log-in.ts';
import {
  type AuthenticatedAccount,
  type AuthMethod,
  type AuthRequest,
  type CredentialSource,
  isAtOrBelow,
} from './method.ts';
import { oauth2Method } from './oauth2.ts';
import { introspectedTokens, providerTokens } from './oidc/access-tokens.ts';
import type { OidcClients } from './oidc/clients.ts';
import { secondStepOf } from './second-factor.ts';
import { tokenCookieMethod, tokenMethod } from './token.ts';

type AuthMethodName = Config['AUTH_CHAIN'][number];

const methods: Readonly<Record<Exclude<AuthMethodName, 'oidc'>, AuthMethod>> = {
  basic: basicMethod,
  token: tokenMethod,
  oauth2: oauth2Method,
  jwt: jwtMethod,
};

interface NamedMethod {
  readonly name: string;
  readonly create: AuthMethod;
}

/**
 * The methods for identity provider tokens. They come before the methods for other bearer tokens, because a token that
 * names a provider as its issuer is accepted only by that provider's method.
 */
function providerMethods(chain: readonly AuthMethodName[], clients: OidcClients): NamedMethod[] {
  const own = chain.includes('oauth2') ? oauth2Method : undefined;
  return [
    { name: 'oidc', create: providerTokens(clients) },
    { name: 'oidc', create: introspectedTokens(clients, own) },
  ];
}

const isBearer = (name: AuthMethodName): boolean => ['oauth2', 'jwt', 'oidc'].includes(name);

function explicitMethods(chain: readonly AuthMethodName[], clients: OidcClients): NamedMethod[] {
  const first = chain.findIndex(isBearer);
  return chain.flatMap((name, index) => [
    ...(index === first && chain.includes('oidc') ? providerMethods(chain, clients) : []),
    ...(name === 'oidc' ? [] : [{ name, create: methods[name] }]),
  ]);
}

/**
 * Adds the cookie methods to the end of the chain. Browsers send cookies with every request, so credentials that a
 * client sends explicitly must take precedence.
 */
const withCookies = (chain: readonly AuthMethodName[], clients: OidcClients): NamedMethod[] => [
  ...explicitMethods(chain, clients),
  ...(chain.includes('basic') || chain.includes('oidc') ? [{ name: 'session', create: consoleMethod }] : []),
  ...(chain.includes('token') ? [{ name: 'token', create: tokenCookieMethod }] : []),
];

interface LogInContext {
  readonly address: string;
  readonly db: Client;
}

export interface Authentication {
  /**
   * Authenticates a request with the first method in the chain for which the request contains credentials.
   * @throws Unauthenticated without revealing which part of the credentials is wrong
   * @throws TooManyRequests
   */
  readonly authenticate: (request: AuthRequest) => Promise<Principal>;
  /**
   * Verifies the user name and password from a sign-in form. Returns undefined if they are wrong or AUTH_CHAIN does not
   * include `basic`. A second step may follow: see `secondStepOf`.
   * @throws TooManyRequests
   */
  readonly logIn: (username: string, password: string, context: LogInContext) => ReturnType<LogIn>;
  /**
   * Checks the code that a user with a second factor enters after the password.
   * @throws TooManyRequests; Unauthenticated after too many consecutive wrong codes
   */
  readonly redeem: (username: string, code: string, context: LogInContext) => Promise<boolean>;
  readonly hasCredentials: (source: CredentialSource) => boolean;
  /** Returns a user with the user's current groups; undefined if there is no such user, or the user is disabled. */
  readonly principalNamed: (id: string, meter: AuthRequest['meter']) => Promise<Principal | undefined>;
  /**
   * Returns the number of seconds until another attempt is allowed. The functions passed as parameters are called only
   * while some credentials are blocked.
   */
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

/** Creates a counter of failed log-ins that is shared by all processes that use the database. */
export function sharedLoginAttempts(
  { LOGIN_FAILURES }: Pick<Config, 'LOGIN_FAILURES'>,
  { announcements }: Pick<Database, 'announcements'>,
  { loginFailed }: Pick<Journal, 'loginFailed'>,
): LoginAttempts {
  const attempts = createLoginAttempts(LOGIN_FAILURES, performance, {
    onFailure: loginFailed,
    // A failed announcement is ignored: while the database is unavailable, no log-in can succeed in any process.
    tellOthers: (failure) => void announcements.tellOthers('login-failures', failure).catch(() => {}),
  });
  announcements.on('login-failures', (failure) => {
    if (failure !== undefined) attempts.recordElsewhere(failure);
  });
  return attempts;
}

/** @param atDirectory verifies passwords at the directories; undefined if no directories are configured */
export function createAuthentication(
  services: Pick<Services, 'attempts' | 'config' | 'database' | 'identityProviders' | 'journal' | 'secrets'>,
  clients: OidcClients,
  atDirectory?: DirectoryLogIn,
): Authentication {
  const { attempts, config, database, journal, secrets } = services;
  const logIn = createLogIn(services, atDirectory);
  const asPrincipal = principals(config.ADMIN_USERNAME);
  const chain = withCookies(config.AUTH_CHAIN, clients).map(({ name, create }) => ({
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
    if (!found) throw new Unauthenticated('Authentication is required.');
    const { method, credentials, account } = found;
    // The block is checked before the cache is read. Otherwise a blocked client could keep guessing passwords that
    // are cached.
    attempts.requireNotBlocked(request.address, account);
    const caller = await callers
      .find(digest([method.name, credentials]), () =>
        attempts.runCounted(request.address, account, async () => {
          const proof = await database.reads.run(request.meter, 'no caller', (db) =>
            method.authenticate(credentials, db),
          );
          if (!proof) return undefined;
          // A session starts with a log-in, which has already been recorded in the journal.
          const { id: username, directory } = proof.account;
          if (method.name !== 'session')
            journal.loggedIn({ username, method: directory ?? method.name, address: request.address });
          journal.used(proof.credential);
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
    principalNamed: async (id, meter) => {
      const account = await database.reads
        .run(meter, 'no caller', (db) => accountOf(db, id, services))
        .catch(rethrow);
      return account ? asPrincipal(account) : undefined;
    },
    secondsBlocked: (sourceOf, addressOf) => {
      if (!attempts.isAnyBlocked()) return undefined;
      const found = presented(sourceOf());
      return found && attempts.secondsBlocked(addressOf(), found.account);
    },
    logIn: async (username, password, { address, db }) => {
      if (!config.AUTH_CHAIN.includes('basic')) return undefined;
      const account = await attempts
        .runCounted(address, username, () => logIn({ username, password }, db))
        .catch(rethrow);
      if (account && !secondStepOf(config, account))
        journal.loggedIn({ username: account.id, method: account.directory ?? 'form', address });
      return account;
    },
    redeem: async (username, code, { address, db }) => {
      const redeemed = await attempts
        .runCounted(address, username, () => redeemFactorCode(db, secrets, username, code))
        .catch(rethrow);
      if (redeemed) journal.loggedIn({ username, method: `form with ${redeemed}`, address });
      return redeemed !== undefined;
    },
  };
}
