import { createContext, useContext } from 'react';
import { ownHeaders, refusal } from '../graphql/client.ts';

export interface User {
  readonly id: string;
  readonly isAdministrator: boolean;
  readonly name: string;
}

interface Session {
  readonly user: User;
  readonly signOut: () => void;
  /** Draws the page anew, in another language. */
  readonly redraw: () => void;
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('a screen is shown without a session');
  return session;
}

/** Whether the page came with the cookie of a session. */
export const beganSignedIn = document.querySelector<HTMLMetaElement>('meta[name=session]')?.content === 'yes';

/** What the form answers: done, wrong, or why not. */
export async function signIn(username: string, password: string): Promise<'done' | 'wrong' | string> {
  const response = await fetch('login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...ownHeaders() },
    body: JSON.stringify({ username, password }),
  });
  if (response.ok) return 'done';
  if (response.status === 401) return 'wrong';
  return refusal(response, await response.text()).message;
}

/** @throws Fault where the session is still there; one that had ended already is none. */
export async function endSession(): Promise<void> {
  const response = await fetch('logout', { method: 'POST', headers: ownHeaders() });
  if (!response.ok && response.status !== 401) throw refusal(response, await response.text());
}
