import type { Request, Response } from 'express';
import type { Client } from '../db/database.ts';
import { type Account, accountOf } from '../loaders/account.ts';
import type { Secrets } from '../secrets.ts';
import { place } from './services.ts';

/** How long somebody who has logged in may think about the question, in milliseconds. */
const lifetime = 600_000;

const purpose = 'oauth2 session';

const name = 'quire-log-in';

/** Where the cookie is, and whether that is reached by https. */
export interface Reach {
  readonly contextPath: string;
  readonly isSecure: boolean;
}

/** The cookie is for the pages alone. */
const options = ({ contextPath, isSecure }: Reach) =>
  ({ path: `${contextPath}${place}`, httpOnly: true, sameSite: 'strict', secure: isSecure }) as const;

/** Takes the cookie back. */
export const endSession = (response: Response, reach: Reach): void => {
  response.clearCookie(name, options(reach));
};

/** Who has logged in at the form, as a sealed cookie that this page alone gets. */
export interface Sessions {
  begin(response: Response, account: Account): void;
  end(response: Response): void;
  /** Who has logged in, unless the password has changed since. */
  read(request: Request, db: Pick<Client, 'query'>): Promise<Account | undefined>;
}

interface Ticket {
  readonly user: string;
  readonly until: number;
  /** Tells whether the password is still the same. */
  readonly mark: string;
}

/** @param reachOf where a response takes its cookie. */
export function createSessions(secrets: Secrets, reachOf: (response: Response) => Reach): Sessions {
  const cookie = new RegExp(`(?:^|;\\s*)${name}=([\\w-]+)`);
  const mark = ({ passwordHash }: Account): string =>
    secrets.derive(purpose, passwordHash ?? '').toString('base64url');
  return {
    begin: (response, account) => {
      const ticket: Ticket = { user: account.id, until: Date.now() + lifetime, mark: mark(account) };
      const sealed = secrets.seal(purpose, JSON.stringify(ticket));
      response.cookie(name, sealed, { ...options(reachOf(response)), maxAge: lifetime });
    },
    end: (response) => endSession(response, reachOf(response)),
    read: async ({ headers }, db) => {
      const text = secrets.open(purpose, cookie.exec(headers.cookie ?? '')?.[1] ?? '');
      if (text === undefined) return undefined;
      const ticket = JSON.parse(text) as Ticket;
      const account = ticket.until > Date.now() ? await accountOf(db, ticket.user) : null;
      return account && mark(account) === ticket.mark ? account : undefined;
    },
  };
}
