import type { IncomingHttpHeaders } from 'node:http';
import type { Response } from 'express';
import type { Client } from '../db/database.ts';
import { ReadAgain } from '../db/errors.ts';
import { type Account, accountOf } from '../loaders/authorities/account.ts';
import { identityOfSession } from '../loaders/authorities/identities.ts';
import type { Services } from '../services.ts';
import { cookieOf } from './cookies.ts';
import type { LoggedInAccount } from './log-in.ts';

export const oauth2Path = '/oauth2';

/** A kind of session. A cookie for one kind of session is not accepted for another kind. */
interface SessionKind {
  readonly name: string;
  /** The purpose from which the encryption key of the cookie is derived. */
  readonly purpose: string;
  /** The path, relative to the application context, at and below which browsers send the cookie. */
  readonly path: string;
  /** The lifetime in milliseconds. */
  readonly lifetime: number;
}

/**
 * The session of a user who is being asked to authorize an OAuth client. It starts with the log-in and ends with
 * the decision on the consent page.
 */
export const consentSession: SessionKind = {
  name: 'quire-log-in',
  purpose: 'oauth2 session',
  path: oauth2Path,
  lifetime: 600_000,
};

/** The session of a console user. It is valid everywhere below the application context. */
export const consoleSession: SessionKind = {
  name: 'quire-session',
  purpose: 'console session',
  path: '/',
  lifetime: 12 * 3_600_000,
};

/**
 * The state between entering the correct password and completing the second step, which is entering a code or setting
 * up a second factor. It grants no access.
 */
export const secondStepSession: SessionKind = {
  name: 'quire-second-step',
  purpose: 'second step',
  path: '/',
  lifetime: 600_000,
};

interface CookieReach {
  readonly contextPath: string;
  readonly isSecure: boolean;
}

const options = ({ path }: SessionKind, { contextPath, isSecure }: CookieReach) =>
  ({ path: `${contextPath}${path}`, httpOnly: true, sameSite: 'strict', secure: isSecure }) as const;

interface Ticket {
  readonly user: string;
  readonly until: number;
  /**
   * A digest of the password hash, the time at which credentials were last revoked, and whether there is a second
   * factor. If it no longer matches the account, the session is invalid.
   */
  readonly mark: string;
  /** The id of the stored session; absent for the sessions of the OAuth 2.0 pages, which are not stored. */
  readonly id?: string | undefined;
  /**
   * The id of the row for the session at an identity provider, if the user signed in with one. The session ends when
   * that row is deleted.
   */
  readonly identitySession?: string | undefined;
  /** The name of the directory that verified the password; absent if this server verified it. */
  readonly directory?: string | undefined;
}

/** The ids of the rows to which a session belongs. */
type StoredParts = Pick<Ticket, 'id' | 'identitySession'>;

/** A valid session. */
interface OpenSession {
  readonly account: LoggedInAccount;
  /** When the session expires, in milliseconds since 1970. */
  readonly until: number;
  readonly id: string | undefined;
  readonly identitySession: string | undefined;
}

/** Sessions of users who signed in with a form. Each is stored in an encrypted cookie. */
interface Sessions {
  begin(response: Response, account: LoggedInAccount, reach: CookieReach, stored?: StoredParts): void;
  end(response: Response, reach: CookieReach): void;
  /**
   * Returns the encrypted session cookie of a request. Returns undefined if the cookie is absent, forged or
   * expired.
   */
  sealedOf(headers: IncomingHttpHeaders): string | undefined;
  /**
   * Decrypts a session cookie and returns its session. Returns undefined if the user was deleted, the password was
   * changed, the credentials were revoked, the identity provider ended the session, or the identity provider or
   * directory with which it began is no longer in IDENTITY_FILE.
   */
  read(sealed: string, db: Pick<Client, 'prisma' | 'query' | 'replica'>): Promise<OpenSession | undefined>;
  /** Returns the id of the stored session to which a valid cookie belongs. */
  idOf(sealed: string): string | undefined;
  /**
   * Returns the id of the row for the request's session at an identity provider; undefined if the user did not sign in
   * with one.
   */
  identitySessionOf(headers: IncomingHttpHeaders): string | undefined;
}

export function createSessions(
  services: Pick<Services, 'config' | 'identityProviders' | 'secrets'>,
  kind: SessionKind,
): Sessions {
  const { config, identityProviders, secrets } = services;
  const { name, purpose, lifetime } = kind;
  const mark = ({ passwordHash, credentialsEndedAt, hasSecondFactor }: Account): string => {
    const parts = [passwordHash ?? '', credentialsEndedAt?.toISOString() ?? ''];
    if (hasSecondFactor) parts.push('second factor');
    return secrets.derive(purpose, ...parts).toString('base64url');
  };
  const opened = (sealed: string): Ticket | undefined => {
    const text = secrets.open(purpose, sealed);
    const ticket = text === undefined ? undefined : (JSON.parse(text) as Ticket);
    return ticket && ticket.until > Date.now() ? ticket : undefined;
  };
  const isConfigured = (provider: string): boolean => identityProviders.some(({ name }) => name === provider);
  /** Whether the password with which a session was started would still be accepted. */
  const isPasswordSupported = ({ directory }: Ticket, { passwordHash }: Account): boolean =>
    config.AUTH_CHAIN.includes('basic') &&
    (directory === undefined ? passwordHash !== null : isConfigured(directory));
  /** Whether the credentials with which a session was started still exist and are still accepted. */
  const isSupported = async (
    ticket: Ticket,
    account: Account,
    db: Pick<Client, 'prisma' | 'replica'>,
  ): Promise<boolean> => {
    const { user, identitySession } = ticket;
    if (identitySession === undefined) return isPasswordSupported(ticket, account);
    const identity = await identityOfSession(db, identitySession);
    if (!identity && db.replica) throw new ReadAgain('the replica may lack a session that has just begun');
    return identity?.userId === user && isConfigured(identity.provider) && config.AUTH_CHAIN.includes('oidc');
  };
  return {
    begin: (response, account, reach, stored = {}) => {
      const ticket: Ticket = {
        user: account.id,
        until: Date.now() + lifetime,
        mark: mark(account),
        directory: account.directory,
        ...stored,
      };
      const sealed = secrets.seal(purpose, JSON.stringify(ticket));
      response.cookie(name, sealed, { ...options(kind, reach), maxAge: lifetime });
    },
    end: (response, reach) => {
      response.clearCookie(name, options(kind, reach));
    },
    sealedOf: (headers) => {
      const sealed = cookieOf(headers, name);
      return sealed !== undefined && opened(sealed) ? sealed : undefined;
    },
    read: async (sealed, db) => {
      const ticket = opened(sealed);
      const account = ticket && (await accountOf(db, ticket.user, services));
      if (!account || mark(account) !== ticket.mark || !(await isSupported(ticket, account, db)))
        return undefined;
      const { until, id, identitySession, directory } = ticket;
      return { account: { ...account, ...(directory && { directory }) }, until, id, identitySession };
    },
    idOf: (sealed) => opened(sealed)?.id,
    identitySessionOf: (headers) => {
      const sealed = cookieOf(headers, name);
      return sealed === undefined ? undefined : opened(sealed)?.identitySession;
    },
  };
}
