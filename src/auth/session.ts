import type { Request, Response } from 'express';
import type { Client } from '../db/database.ts';
import { type Account, accountOf } from '../loaders/authorities/account.ts';
import type { Secrets } from '../secrets.ts';

export const oauth2Path = '/oauth2';

/** The time to answer the consent page after a log-in, in milliseconds. */
const lifetime = 600_000;

const purpose = 'oauth2 session';

const name = 'quire-log-in';

interface CookieScope {
  readonly contextPath: string;
  readonly isSecure: boolean;
}

const options = ({ contextPath, isSecure }: CookieScope) =>
  ({ path: `${contextPath}${oauth2Path}`, httpOnly: true, sameSite: 'strict', secure: isSecure }) as const;

export const endSession = (response: Response, reach: CookieScope): void => {
  response.clearCookie(name, options(reach));
};

/** The user who has logged in at the form, in a sealed cookie that browsers send to these pages alone. */
interface Sessions {
  begin(response: Response, account: Account): void;
  end(response: Response): void;
  read(request: Request, db: Pick<Client, 'query'>): Promise<Account | undefined>;
}

interface Ticket {
  readonly user: string;
  readonly until: number;
  /** Depends on the hash of the password and on when credentials ended last: both end the session. */
  readonly mark: string;
}

export function createSessions(secrets: Secrets, reachOf: (response: Response) => CookieScope): Sessions {
  const cookie = new RegExp(`(?:^|;\\s*)${name}=([\\w-]+)`);
  const mark = ({ passwordHash, credentialsEndedAt }: Account): string => {
    const parts = [passwordHash ?? '', credentialsEndedAt?.toISOString() ?? ''];
    return secrets.derive(purpose, ...parts).toString('base64url');
  };
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
