import { createContext, useContext } from 'react';
import { fileHeaders, refusal } from '../graphql/client.ts';

export interface User {
  readonly id: string;
  readonly isAdministrator: boolean;
  readonly name: string;
}

interface Session {
  readonly user: User;
  readonly signOut: () => void;
  /** Renders the whole page again, for example after the language has changed. */
  readonly redraw: () => void;
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession must be called below a SessionContext.');
  return session;
}

/** Whether the browser already had a valid session when the server sent this page. */
export const beganSignedIn = document.querySelector<HTMLMetaElement>('meta[name=session]')?.content === 'yes';

/** Whether the server can email a reset link to users who have forgotten their password. */
export const canReset = document.querySelector<HTMLMetaElement>('meta[name=reset]')?.content === 'yes';

/** The ways in which users can sign in, which the server has written into this page. */
interface SignInOptions {
  readonly passwords: boolean;
  readonly providers: readonly ProviderOption[];
}

/** A provider at which users can sign in. */
export interface ProviderOption {
  readonly name: string;
  readonly label: string;
  readonly address: string;
}

const written = document.querySelector<HTMLMetaElement>('meta[name=sign-in]')?.content;

export const signInOptions: SignInOptions = written?.startsWith('{')
  ? (JSON.parse(written) as SignInOptions)
  : { passwords: true, providers: [] };

/**
 * Returns the address at which a sign-in with a provider starts. After the sign-in, the browser returns to this page.
 */
export const providerAddress = (address: string): string =>
  `${address}?target=${encodeURIComponent(location.pathname + location.search)}`;

const post = (path: string, body: object): Promise<Response> =>
  fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...fileHeaders() },
    body: JSON.stringify(body),
  });

/** The step that follows a correct password: entering a code, or setting up a second factor. */
export type SecondStep = 'code' | 'setup';

/**
 * Signs in.
 * @returns `done`; the next step if one is needed; `wrong` if the username or password is incorrect; otherwise the
 * error message
 */
export async function signIn(
  username: string,
  password: string,
): Promise<'done' | SecondStep | 'wrong' | string> {
  const response = await post('login', { username, password });
  if (response.status === 204) return 'done';
  if (response.ok) return ((await response.json()) as { readonly secondFactor: SecondStep }).secondFactor;
  if (response.status === 401) return 'wrong';
  return refusal(response, await response.text()).message;
}

/** Sends a step of the sign-in that follows the password step. @throws Fault */
async function step<T>(path: string, body: object): Promise<T> {
  const response = await post(path, body);
  const text = await response.text();
  if (!response.ok) throw refusal(response, text);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** The claims about a user of a directory, and what the rules make of them. */
export interface TestedUser {
  readonly claims: Readonly<Record<string, unknown>>;
  readonly mapped: {
    readonly id?: string;
    readonly properties: Readonly<Record<string, unknown>>;
    readonly groups: readonly string[];
  };
}

/** Asks a directory for one of its users, without changing anything. @throws Fault */
export const testDirectory = (name: string, username: string, password: string): Promise<TestedUser> =>
  step(`sso/${name}/test`, { username, password });

/** Links the user's account in a directory, without leaving the page. @throws Fault */
export const linkDirectory = (
  name: string,
  body: {
    readonly password: string;
    readonly directory: { readonly username: string; readonly password: string };
  },
): Promise<void> => step(`sso/${name}/link`, body);

/**
 * Opens the sign-in page of an identity provider, either to test it or to link the user's account at the provider.
 * @throws Fault if the provider does not respond or the password in the body is wrong
 */
export async function beginAtProvider(
  name: string,
  purpose: 'test' | 'link',
  body: object = {},
): Promise<void> {
  const { location: next } = await step<{ readonly location: string }>(`sso/${name}/${purpose}`, body);
  location.assign(next);
}

/** Sends the code that is needed after the password, and signs in. @throws Fault */
export const sendCode = (code: string): Promise<void> => step('login/code', { code });

/** The secret of a second factor that is being set up. */
export interface Setup {
  readonly secret: string;
  readonly uri: string;
  readonly ticket: string;
}

export const prepareSetup = (): Promise<Setup> => step('login/setup', {});

/** Confirms the new second factor and signs in. @returns the recovery codes @throws Fault */
export const confirmSetup = async (ticket: string, code: string): Promise<readonly string[]> =>
  (await step<{ readonly recoveryCodes: readonly string[] }>('login/setup', { ticket, code })).recoveryCodes;

/**
 * Ends the session. Does nothing if the session has already ended.
 * @throws Fault if the session may still exist
 */
export async function endSession(): Promise<void> {
  const response = await fetch('logout', { method: 'POST', headers: fileHeaders() });
  if (!response.ok && response.status !== 401) throw refusal(response, await response.text());
  // If the user signed in with an identity provider, the session at the provider is also ended.
  const { location: next } = response.status === 200 ? ((await response.json()) as { location: string }) : {};
  if (next !== undefined) location.assign(next);
}
