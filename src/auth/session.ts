import type { IncomingHttpHeaders } from 'node:http';
import type { Response } from 'express';
import type { Client } from '../db/database.ts';
import { type Account, accountOf } from '../loaders/authorities/account.ts';
import type { Secrets } from '../secrets.ts';
import { cookieOf } from './cookies.ts';

export const oauth2Path = '/oauth2';

/** A kind of session. The cookie of one kind is not accepted for another. */
interface SessionKind {
  /** The name of the cookie. */
  readonly name: string;
  /** The purpose from which the key that seals the cookie is derived. */
  readonly purpose: string;
  /** The path within the application context at and below which browsers send the cookie. */
  readonly path: string;
  /** The lifetime in milliseconds. */
  readonly lifetime: number;
}

/** The session of the OAuth 2.0 pages, from the log-in to the decision on the consent page. */
export const consentSession: SessionKind = {
  name: 'quire-log-in',
  purpose: 'oauth2 session',
  path: oauth2Path,
  lifetime: 600_000,
};

/** The session of the console, accepted everywhere below the application context. */
export const consoleSession: SessionKind = {
  name: 'quire-session',
  purpose: 'console session',
  path: '/',
  lifetime: 12 * 3_600_000,
};

interface CookieReach {
  readonly contextPath: string;
  readonly isSecure: boolean;
}

const options = ({ path }: SessionKind, { contextPath, isSecure }: CookieReach) =>
  ({ path: `${contextPath}${path}`, httpOnly: true, sameSite: 'strict', secure: isSecure }) as const;

/** Clears the cookies of all sessions. */
export const endSessions = (response: Response, reach: CookieReach): void => {
  for (const kind of [consentSession, consoleSession]) response.clearCookie(kind.name, options(kind, reach));
};

interface Ticket {
  readonly user: string;
  readonly until: number;
  /**
   * A digest of the password hash and the time at which credentials were last revoked. The session ends when it
   * no longer matches the account.
   */
  readonly mark: string;
}

/** Sessions of users who have logged in with a form, stored only in a sealed cookie. */
interface Sessions {
  begin(response: Response, account: Account, reach: CookieReach): void;
  end(response: Response, reach: CookieReach): void;
  /** Returns the session cookie of a request; undefined when it is absent, forged or expired. */
  sealedOf(headers: IncomingHttpHeaders): string | undefined;
  /**
   * Returns the account of a session cookie, and its expiry in milliseconds since 1970; undefined when the user was
   * deleted, the password changed, or the credentials revoked.
   */
  read(
    sealed: string,
    db: Pick<Client, 'query'>,
  ): Promise<{ readonly account: Account; readonly until: number } | undefined>;
}

export function createSessions(secrets: Secrets, kind: SessionKind): Sessions {
  const { name, purpose, lifetime } = kind;
  const mark = ({ passwordHash, credentialsEndedAt }: Account): string => {
    const parts = [passwordHash ?? '', credentialsEndedAt?.toISOString() ?? ''];
    return secrets.derive(purpose, ...parts).toString('base64url');
  };
  const opened = (sealed: string): Ticket | undefined => {
    const text = secrets.open(purpose, sealed);
    const ticket = text === undefined ? undefined : (JSON.parse(text) as Ticket);
    return ticket && ticket.until > Date.now() ? ticket : undefined;
  };
  return {
    begin: (response, account, reach) => {
      const ticket: Ticket = { user: account.id, until: Date.now() + lifetime, mark: mark(account) };
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
      return account && mark(account) === ticket.mark ? { account, until: ticket.until } : undefined;
    },
  };
}
