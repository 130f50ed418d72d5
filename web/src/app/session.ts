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
  /** Renders the page anew after the language has changed. */
  readonly redraw: () => void;
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession must be called below a SessionContext.');
  return session;
}

/** Whether the server sent this page to a browser with a valid session cookie. */
export const beganSignedIn = document.querySelector<HTMLMetaElement>('meta[name=session]')?.content === 'yes';

/** Signs in. @returns `done`, `wrong` if the username or password is incorrect, or the message of any other error. */
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

/** Ends the session; succeeds if it has already ended. @throws Fault if the session may still exist */
export async function endSession(): Promise<void> {
  const response = await fetch('logout', { method: 'POST', headers: ownHeaders() });
  if (!response.ok && response.status !== 401) throw refusal(response, await response.text());
}
