import type { Request, Response } from 'express';
import { createTopicCache } from '../db/topic-cache.ts';
import { Unauthenticated } from '../errors.ts';
import type { Principal } from '../security/principal.ts';
import type { Services } from '../services.ts';
import { linkById, type OpenLink } from '../store/shares/open-share.ts';
import { linkGuest } from '../store/shares/share-links.ts';
import { cookieOf } from './cookies.ts';
import { keyedDigest } from './digest.ts';
import type { AuthRequest } from './method.ts';

/** The path, relative to the application context, at and below which guests are authenticated. */
export const guestPath = '/share';

const [name, purpose, lifetime] = ['quire-guest', 'guest session', 12 * 3_600_000];

interface Ticket {
  /** The name that identifies the guest in ACEs. */
  readonly guest: string;
  readonly until: number;
  /** Set if the guest opened a link: the link's id and a digest derived from its password hash. */
  readonly link?: { readonly id: string; readonly mark: string };
}

interface Guest {
  readonly principal: Principal;
  readonly until: number;
}

interface CookieReach {
  readonly contextPath: string;
  readonly isSecure: boolean;
}

/**
 * Manages the sessions of guests, who have no account. A session is stored only in an encrypted cookie, which browsers
 * send only to `guestPath`. There the cookie takes precedence over all other credentials; other routes ignore it.
 */
export interface GuestSessions {
  /** Starts a session for a guest who opened a link. It expires no later than the link. */
  beginByLink(response: Response, link: OpenLink, reach: CookieReach): void;
  /** Starts a session for a guest who has proved ownership of an email address. */
  beginByMail(response: Response, guest: string, reach: CookieReach): void;
  end(response: Response, reach: CookieReach): void;
  /**
   * Returns the guest who sent a request.
   * @throws Unauthenticated if there is no valid session, or if its link was deleted
   */
  authenticate(request: Pick<AuthRequest, 'headers' | 'meter'>): Promise<Principal>;
}

const cacheLimits = { size: 10_000, lifetime: 60_000 };

export function createGuestSessions({
  database,
  secrets,
}: Pick<Services, 'database' | 'secrets'>): GuestSessions {
  const digest = keyedDigest();
  // A guest can remain cached for up to a minute after the link was deleted. This grants no access, because the link's
  // ACEs are deleted with it.
  const guests = createTopicCache<Guest>(database, 'principals', cacheLimits);
  const markOf = ({ passwordHash }: Pick<OpenLink, 'passwordHash'>): string =>
    secrets.derive(purpose, passwordHash ?? '').toString('base64url');
  const options = ({ contextPath, isSecure }: CookieReach) =>
    ({ path: `${contextPath}${guestPath}`, httpOnly: true, sameSite: 'strict', secure: isSecure }) as const;
  const begin = (response: Response, ticket: Ticket, reach: CookieReach): void => {
    const sealed = secrets.seal(purpose, JSON.stringify(ticket));
    response.cookie(name, sealed, { ...options(reach), maxAge: ticket.until - Date.now() });
  };
  const ticketOf = (headers: Request['headers']): { sealed: string; ticket: Ticket } | undefined => {
    const sealed = cookieOf(headers, name);
    const text = sealed === undefined ? undefined : secrets.open(purpose, sealed);
    if (sealed === undefined || text === undefined) return undefined;
    const ticket = JSON.parse(text) as Ticket;
    return ticket.until > Date.now() ? { sealed, ticket } : undefined;
  };
  return {
    beginByLink: (response, link, reach) => {
      const until = Math.min(Date.now() + lifetime, link.endsAt.getTime());
      const ticket = { guest: linkGuest(link.id), until, link: { id: link.id, mark: markOf(link) } };
      begin(response, ticket, reach);
    },
    beginByMail: (response, guest, reach) => begin(response, { guest, until: Date.now() + lifetime }, reach),
    end: (response, reach) => {
      response.clearCookie(name, options(reach));
    },
    authenticate: async ({ headers, meter }) => {
      const found = ticketOf(headers);
      const guest =
        found &&
        (await guests.find(digest([found.sealed]), async () => {
          const { ticket } = found;
          const principal: Principal = {
            id: ticket.guest,
            groups: [],
            isAdministrator: false,
            credential: { kind: 'guest session' },
          };
          if (!ticket.link) return { principal, until: ticket.until };
          const link = await linkById(database.metered(meter), ticket.link.id);
          return link && markOf(link) === ticket.link.mark ? { principal, until: ticket.until } : undefined;
        }));
      if (!guest || guest.until <= Date.now())
        throw new Unauthenticated('The guest session has expired. Open the link again, or sign in again.');
      return guest.principal;
    },
  };
}
