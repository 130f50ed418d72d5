import { hash } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Secrets } from '../../secrets.ts';
import type { ProvenUser } from '../../store/tokens/credentials.ts';
import { cookieOf } from '../cookies.ts';
import type { SignInSecrets } from './sign-in.ts';

/** The path, relative to the application context, below which users sign in with identity providers. */
export const ssoPath = '/sso';

/** The time in milliseconds within which a sign-in must be completed. */
const lifetime = 600_000;

/** The user to whom the identity will be linked. */
interface Linked {
  readonly userId: string;
  readonly endedBefore: number | null;
}

/** The action to take once the provider has signed the user in. */
export type FlowPurpose =
  /** Starts a session and sends the browser to an address of this server. */
  | { readonly kind: 'sign-in'; readonly target: string }
  /** Links the identity to a user who has just proved their own credentials. */
  | (Linked & { readonly kind: 'link' })
  /** Verifies that the user can still sign in at this provider, and then links an identity at another provider. */
  | (Linked & { readonly kind: 'prove'; readonly next: string })
  /** Only shows the claims that the provider returned. */
  | { readonly kind: 'test' };

interface Flow {
  readonly provider: string;
  readonly secrets: SignInSecrets;
  readonly purpose: FlowPurpose;
  readonly until: number;
}

/** Returns the user to whom a flow links an identity; undefined for flows with other purposes. */
export const linkedUser = (purpose: FlowPurpose): ProvenUser | undefined =>
  purpose.kind === 'link'
    ? { id: purpose.userId, endedBefore: purpose.endedBefore === null ? null : new Date(purpose.endedBefore) }
    : undefined;

interface CookieReach {
  readonly contextPath: string;
  readonly isSecure: boolean;
}

const sealing = 'sign-in at a provider';

/**
 * Creates the storage for sign-ins in progress. Each sign-in is stored only in an encrypted cookie of the browser that
 * started it. No other browser can complete the sign-in, because it lacks the state, the nonce and the PKCE verifier.
 */
export function createFlowCookies(secrets: Secrets) {
  // Every flow has a separate cookie, so that sign-ins in several tabs do not interfere with each other.
  const nameOf = (state: string): string => `quire-sso-${hash('sha256', state).slice(0, 16)}`;
  // The provider redirects the browser from another site, so the browser would not send a cookie with SameSite=Strict.
  const options = (provider: string, { contextPath, isSecure }: CookieReach) =>
    ({
      path: `${contextPath}${ssoPath}/${provider}`,
      httpOnly: true,
      sameSite: 'lax',
      secure: isSecure,
    }) as const;
  return {
    begin: (response: Response, flow: Omit<Flow, 'until'>, reach: CookieReach): void => {
      const sealed = secrets.seal(sealing, JSON.stringify({ ...flow, until: Date.now() + lifetime }));
      const name = nameOf(flow.secrets.state);
      response.cookie(name, sealed, { ...options(flow.provider, reach), maxAge: lifetime });
    },
    /**
     * Returns the flow with the request's state and clears the flow's cookie, so that the flow can be completed only
     * once.
     */
    take: (request: Request, response: Response, reach: CookieReach & { readonly provider: string }) => {
      const { state } = request.query;
      if (typeof state !== 'string') return undefined;
      const sealed = cookieOf(request.headers, nameOf(state));
      response.clearCookie(nameOf(state), options(reach.provider, reach));
      const text = sealed === undefined ? undefined : secrets.open(sealing, sealed);
      if (text === undefined) return undefined;
      const flow = JSON.parse(text) as Flow;
      const isOwn = flow.provider === reach.provider && flow.secrets.state === state;
      return isOwn && flow.until > Date.now() ? flow : undefined;
    },
  };
}
