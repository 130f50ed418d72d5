import type { IncomingHttpHeaders } from 'node:http';
import type { Response } from 'express';
import type { Client } from '../db/database.ts';
import { type Account, accountOf } from '../loaders/authorities/account.ts';
import type { Secrets } from '../secrets.ts';
import { cookieOf } from './cookies.ts';

export const oauth2Path = '/oauth2';

/** A kind of session; a cookie of one kind is none of another. */
interface SessionKind {
  /** Of the cookie. */
  readonly name: string;
  /** Of the key that seals it. */
  readonly purpose: string;
  /** Browsers send the cookie at and below this path of the application context. */
  readonly path: string;
  /** Milliseconds. */
  readonly lifetime: number;
}

/** From the log-in to the answer on the consent page. */
export const consentSession: SessionKind = {
  name: 'quire-log-in',
  purpose: 'oauth2 session',
  path: oauth2Path,
  lifetime: 600_000,
};

/** Of the console: everything below the application context takes it. */
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
  /** Depends on the hash of the password and on when credentials ended last: both end the session. */
  readonly mark: string;
}

/** The user who has logged in at a form, in a sealed cookie. */
interface Sessions {
  begin(response: Response, account: Account, reach: CookieReach): void;
  end(response: Response, reach: CookieReach): void;
  /** The cookie of a request, unless it is forged or over. */
  sealedOf(headers: IncomingHttpHeaders): string | undefined;
  /** Undefined when the user is gone, or the credentials of then; until is in milliseconds since 1970. */
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
