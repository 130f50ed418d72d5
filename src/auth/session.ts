import type { IncomingHttpHeaders } from 'node:http';
import type { Response } from 'express';
import type { Client } from '../db/database.ts';
import { ReadAgain } from '../db/errors.ts';
import { type Account, accountOf } from '../loaders/authorities/account.ts';
import { userOfIdentitySession } from '../loaders/authorities/identities.ts';
import type { Services } from '../services.ts';
import { cookieOf } from './cookies.ts';

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
}

/** The ids of the rows to which a session belongs. */
type StoredParts = Pick<Ticket, 'id' | 'identitySession'>;

/** A valid session. */
interface OpenSession {
  readonly account: Account;
  /** When the session expires, in milliseconds since 1970. */
  readonly until: number;
  readonly id: string | undefined;
  readonly identitySession: string | undefined;
}

/** Sessions of users who signed in with a form. Each is stored in an encrypted cookie. */
interface Sessions {
  begin(response: Response, account: Account, reach: CookieReach, stored?: StoredParts): void;
  end(response: Response, reach: CookieReach): void;
  /**
   * Returns the encrypted session cookie of a request. Returns undefined if the cookie is absent, forged or
   * expired.
   */
  sealedOf(headers: IncomingHttpHeaders): string | undefined;
  /**
   * Decrypts a session cookie and returns its session. Returns undefined if the user was deleted, the password was
   * changed, the credentials were revoked, or the identity provider ended the session.
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
  { config, secrets }: Pick<Services, 'config' | 'secrets'>,
  kind: SessionKind,
): Sessions {
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
  /** Whether the credentials with which a session was started still exist and are still accepted. */
  const isSupported = async (
    { user, identitySession }: Ticket,
    db: Pick<Client, 'prisma' | 'replica'>,
  ): Promise<boolean> => {
    if (identitySession === undefined) return config.AUTH_CHAIN.includes('basic');
    const userId = await userOfIdentitySession(db, identitySession);
    if (userId === null && db.replica)
      throw new ReadAgain('the replica may lack a session that has just begun');
    return userId === user && config.AUTH_CHAIN.includes('oidc');
  };
  return {
    begin: (response, account, reach, stored = {}) => {
      const ticket: Ticket = {
        user: account.id,
        until: Date.now() + lifetime,
        mark: mark(account),
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
      const account = ticket && (await accountOf(db, ticket.user));
      if (!account || mark(account) !== ticket.mark || !(await isSupported(ticket, db))) return undefined;
      return { account, until: ticket.until, id: ticket.id, identitySession: ticket.identitySession };
    },
    idOf: (sealed) => opened(sealed)?.id,
    identitySessionOf: (headers) => {
      const sealed = cookieOf(headers, name);
      return sealed === undefined ? undefined : opened(sealed)?.identitySession;
    },
  };
}
