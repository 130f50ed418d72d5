import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { viewAsHeader } from '../app/view-as.ts';
import { language } from '../texts/language.ts';
import { text as worded } from '../texts/text.ts';
import type { Operation } from './operation.ts';
import { queries } from './queries.ts';
import { type ErrorSubject, refusalText } from './refusals.ts';

/** A constraint that a value violates (§7). */
export interface Violation {
  readonly constraint: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly message: string;
  readonly path: ReadonlyArray<{ readonly field: string; readonly index?: number }>;
}

/** An error that the server returned. `code` is one of the codes in docs/errors.md. */
export class Fault extends Error {
  readonly code: string;
  readonly violations: readonly Violation[];
  constructor(
    message: string,
    code: string,
    violations: readonly Violation[] = [],
    about: ErrorSubject = {},
  ) {
    super(refusalText(message, about));
    this.code = code;
    this.violations = violations;
  }
}

/**
 * Asks the user to sign in again.
 * @returns whether the user has signed in again
 */
type SignInAgain = () => Promise<boolean>;

const signInHandlers: SignInAgain[] = [];
let signingIn: Promise<boolean> | undefined;

/**
 * Registers a function to call when the server rejects a request because the session has ended. If several functions
 * are registered, only the one registered last is called.
 * @returns a function that removes the registration
 */
export const onSignedOut = (ask: SignInAgain): (() => void) => {
  signInHandlers.push(ask);
  return () => {
    signInHandlers.splice(signInHandlers.indexOf(ask), 1);
  };
};

/**
 * Asks the user to sign in again. Concurrent requests share one dialog.
 * @returns whether the user has signed in again
 */
export function signedInAgain(): Promise<boolean> {
  signingIn ??= Promise.resolve(signInHandlers.at(-1)?.() ?? false).finally(() => {
    signingIn = undefined;
  });
  return signingIn;
}

interface Answer<Data> {
  readonly data?: Data | null;
  readonly errors?: ReadonlyArray<{
    readonly message: string;
    readonly extensions?: ErrorSubject & {
      readonly code?: string;
      readonly violations?: readonly Violation[];
    };
  }>;
}

/**
 * Parses a JSON object. Returns an empty object if the text is not JSON, for example because a proxy sent an error
 * page.
 */
function objectIn<T extends object>(text: string): Partial<T> {
  try {
    return (JSON.parse(text) as T | null) ?? {};
  } catch {
    return {};
  }
}

/** Returns the error for a response that does not come from GraphQL. The HTTP status becomes its code. */
export function refusal(
  { status, statusText }: Pick<Response, 'status' | 'statusText'>,
  text: string,
): Fault {
  const { message } = objectIn<{ message: string }>(text);
  return new Fault(message ?? (statusText || String(status)), String(status));
}

/**
 * Returns an error if a root field is null because the requested object does not exist. The object is identified by the
 * variable `path`, `id` or `name`.
 */
function absenceIn(data: object, variables: unknown): Fault | undefined {
  const field = Object.entries(data).find(([, value]) => value === null)?.[0];
  if (field === undefined) return undefined;
  const { id, path, name } = (variables ?? {}) as Readonly<Record<string, unknown>>;
  const named = { name: String(path ?? id ?? name ?? field) };
  return new Fault(worded(field === 'document' ? 'noDocument' : 'nothingThere', named), 'NOT_FOUND');
}

/**
 * Returns the headers of requests for files. `X-Requested-With` prevents the browser from showing its own password
 * dialog after a 401 response.
 */
export const fileHeaders = (): Record<string, string> => ({
  'X-Requested-With': 'XMLHttpRequest',
  'Accept-Language': language(),
});

/** Returns the headers of all other requests, which the server rejects if they would change something in another user's view. */
export const ownHeaders = (): Record<string, string> => ({ ...fileHeaders(), ...viewAsHeader() });

/**
 * Sends an operation. If the session has ended, asks the user to sign in and sends the operation again.
 * @param options `keepalive` lets the request outlive the page
 * @throws Fault
 */
export async function send<Data, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables,
  options: Pick<RequestInit, 'keepalive'> = {},
): Promise<Data> {
  const response = await fetch('graphql', {
    ...options,
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...ownHeaders() },
    body: JSON.stringify({ query: operation.text, variables }),
  }).catch((cause: unknown) => {
    throw new Error(worded('offline.failed'), { cause });
  });
  if (response.status === 401 && (await signedInAgain())) return send(operation, variables, options);
  const text = await response.text();
  const { data, errors = [] } = objectIn<Answer<Data>>(text);
  const [error] = errors;
  if (error) {
    const { code = '', violations, ...about } = error.extensions ?? {};
    throw new Fault(error.message, code, violations, about);
  }
  if (!response.ok || !data) throw refusal(response, text);
  const absence = absenceIn(data, variables);
  if (absence) throw absence;
  return data;
}

/**
 * Returns the cache key of an operation. If no variables are given, the key matches the operation with any variables.
 */
export const keyOf = <Data, Variables>({ text }: Operation<Data, Variables>, variables?: Variables) =>
  variables === undefined ? [text] : [text, variables];

/** Sends a query and caches the response. */
export const useAnswer = <Data, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables,
  options: Partial<UseQueryOptions<Data, Error>> = {},
) =>
  useQuery<Data, Error>({
    queryKey: keyOf(operation, variables),
    queryFn: () => send(operation, variables),
    ...options,
  });

/** Reloads all displayed data, because a write may have changed any of it. */
export const refresh = (): Promise<void> => queries.invalidateQueries();
