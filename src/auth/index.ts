import type { Client, Database } from '../db/database.ts';
import { translate } from '../db/errors.ts';
import { remember } from '../db/remembered.ts';
import { Unauthenticated } from '../errors.ts';
import type { Principal } from '../scope.ts';
import { type Attempts, createAttempts } from '../security/attempts.ts';
import type { Journal } from '../store/journal.ts';
import { basic } from './basic.ts';
import { keyedDigest } from './digest.ts';
import { jwt } from './jwt.ts';
import { createLogIn, type LogIn } from './log-in.ts';
import {
  type AuthServices,
  type Bringing,
  isAtOrBelow,
  type Method,
  type Proof,
  type Visitor,
} from './method.ts';
import { oauth2 } from './oauth2.ts';
import { token } from './token.ts';

/** §5: every method there is, by the name that AUTH_CHAIN calls it. */
const methods = { basic, token, oauth2, jwt } as const satisfies Record<string, Method>;

export type MethodName = keyof typeof methods;

export interface ChainSettings extends Omit<AuthServices, 'logIn'> {
  readonly database: Database;
  /** Which methods are asked, in this order (AUTH_CHAIN). */
  readonly chain: readonly MethodName[];
  /** Failed log-ins of an account from one address in a minute (LOGIN_FAILURES). */
  readonly failures: number;
  readonly journal: Pick<Journal, 'loggedIn' | 'loginFailed'>;
}

/** Where somebody logs in from, and how the account is found. */
export interface Visiting {
  readonly address: string;
  readonly db: Client;
}

/** Who is calling, however they say it. */
export interface Authentication {
  /**
   * The authentication chain: the first method whose credentials are present decides.
   * @throws Unauthenticated when there are none, or they are wrong; the message does not say which part was.
   * @throws TooManyRequests after too many failures.
   */
  readonly authenticate: (visitor: Visitor) => Promise<Principal>;
  /**
   * The account with this name and password, for a form; counted like any other log-in. Nobody's where Basic is off.
   * @throws TooManyRequests
   */
  readonly logIn: (username: string, password: string, visitor: Visiting) => ReturnType<LogIn>;
  /** Whether a request brings credentials at all, right or wrong. */
  readonly isAsked: (bringing: Bringing) => boolean;
  readonly attempts: Attempts;
  /**
   * For how many seconds a request is refused for the failures before it, right or wrong; nothing when it is not. As
   * long as nobody is, it is not even looked at.
   */
  readonly barredFor: (bringing: () => Bringing, addressOf: () => string) => number | undefined;
}

/** Callers whose credentials were right of late. */
const remembered = { size: 10_000, lifetime: 60_000 };

interface Known extends Omit<Proof, 'account'> {
  readonly principal: Principal;
}

const counts = ({ until, below }: Known, { path }: Visitor): boolean =>
  (until === undefined || Date.now() < until) &&
  (below === undefined || below.some((place) => isAtOrBelow(path, place)));

const inOurWords = (error: unknown): never => {
  throw translate(error);
};

export function createAuthentication(settings: ChainSettings): Authentication {
  const { database, journal, principalOf } = settings;
  const logIn = createLogIn();
  const attempts = createAttempts(settings.failures, performance, journal.loginFailed);
  const chain = settings.chain.map((name) => ({ name, ...methods[name]({ ...settings, logIn }) }));
  const known = remember<Known>(database, 'principals', remembered);
  const digest = keyedDigest();

  const presented = (visitor: Bringing) => {
    for (const { name, credentialsOf, accountOf, authenticate: ask } of chain) {
      const credentials = credentialsOf(visitor);
      if (credentials !== undefined) return { name, ask, credentials, account: accountOf?.(credentials) };
    }
    return undefined;
  };

  const authenticate: Authentication['authenticate'] = async (visitor) => {
    const brought = presented(visitor);
    if (!brought) throw new Unauthenticated('authentication is required');
    const { name, ask, credentials, account } = brought;
    // Before what is remembered is looked at: guessing would else be free of cost for who is remembered.
    attempts.admit(visitor.address, account);
    const found = await known
      .find(digest([name, credentials]), () =>
        attempts.count(visitor.address, account, async () => {
          const proof = await ask(credentials, database.metered(visitor.meter));
          if (!proof) return undefined;
          journal.loggedIn({ username: proof.account.id, method: name, address: visitor.address });
          return { ...proof, principal: principalOf(proof.account) };
        }),
      )
      .catch(inOurWords);
    if (!found || !counts(found, visitor)) throw new Unauthenticated('the credentials are not valid');
    return found.principal;
  };

  return {
    authenticate,
    isAsked: (bringing) => presented(bringing) !== undefined,
    attempts,
    barredFor: (bringing, addressOf) => {
      if (!attempts.areAnyBarred()) return undefined;
      const brought = presented(bringing());
      return brought && attempts.barredFor(addressOf(), brought.account);
    },
    logIn: async (username, password, { address, db }) => {
      // Where no request may bring a password, no form may.
      if (!settings.chain.includes('basic')) return undefined;
      const account = await attempts
        .count(address, username, () => logIn(username, password, db))
        .catch(inOurWords);
      if (account) journal.loggedIn({ username: account.id, method: 'form', address });
      return account;
    },
  };
}
