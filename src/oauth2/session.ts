import type { Request, Response } from 'express';
import type { Client } from '../db/database.ts';
import { type Account, accountOf } from '../loaders/account.ts';
import type { Secrets } from '../secrets.ts';

/** How long somebody who has logged in may think about the question, in milliseconds. */
const lifetime = 600_000;

const purpose = 'oauth2 session';

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

/** @param place the path of the pages, and whether they are reached by https. */
export function createSessions(
  secrets: Secrets,
  place: { readonly path: string; readonly isSecure: (response: Response) => boolean },
): Sessions {
  const name = 'quire-log-in';
  const cookie = new RegExp(`(?:^|;\\s*)${name}=([\\w-]+)`);
  const mark = ({ passwordHash }: Account): string =>
    secrets.derive(purpose, passwordHash ?? '').toString('base64url');
  const options = (response: Response) =>
    ({ path: place.path, httpOnly: true, sameSite: 'strict', secure: place.isSecure(response) }) as const;
  return {
    begin: (response, account) => {
      const ticket: Ticket = { user: account.id, until: Date.now() + lifetime, mark: mark(account) };
      const sealed = secrets.seal(purpose, JSON.stringify(ticket));
      response.cookie(name, sealed, { ...options(response), maxAge: lifetime });
    },
    end: (response) => response.clearCookie(name, options(response)),
    read: async ({ headers }, db) => {
      const text = secrets.open(purpose, cookie.exec(headers.cookie ?? '')?.[1] ?? '');
      if (text === undefined) return undefined;
      const ticket = JSON.parse(text) as Ticket;
      const account = ticket.until > Date.now() ? await accountOf(db, ticket.user) : null;
      return account && mark(account) === ticket.mark ? account : undefined;
    },
  };
}
