import { QueryClient, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { language } from '../texts/language.ts';
import { text as worded } from '../texts/text.ts';
import type { Operation } from './operation.ts';
import { type ErrorSubject, refusalText } from './refusals.ts';

/** A constraint that a value violates (§7). */
export interface Violation {
  readonly constraint: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly message: string;
  readonly path: ReadonlyArray<{ readonly field: string; readonly index?: number }>;
}

/** An error that the server answered; `code` is one of the codes in docs/errors.md. */
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

/** Asks the user to sign in. @returns whether the same user has a session again */
type SignInAgain = () => Promise<boolean>;

const signInHandlers: SignInAgain[] = [];
let signingIn: Promise<boolean> | undefined;

/**
 * Registers a function that is called when the server refuses a request because the session has ended. If there are
 * several, the one that was registered last is called.
 *
 * @returns a function that removes the registration
 */
export const onSignedOut = (ask: SignInAgain): (() => void) => {
  signInHandlers.push(ask);
  return () => {
    signInHandlers.splice(signInHandlers.indexOf(ask), 1);
  };
};

/**
 * Asks the user to sign in again; concurrent requests share one dialog.
 *
 * @returns whether the user has a session again
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

/** Parses an object; empty if the text is not JSON, such as an error page of a proxy. */
function objectIn<T extends object>(text: string): Partial<T> {
  try {
    return (JSON.parse(text) as T | null) ?? {};
  } catch {
    return {};
  }
}

/** The error in a response that is not from GraphQL; its code is the HTTP status. */
export function refusal(
  { status, statusText }: Pick<Response, 'status' | 'statusText'>,
  text: string,
): Fault {
  const { message } = objectIn<{ message: string }>(text);
  return new Fault(message ?? (statusText || String(status)), String(status));
}

/**
 * The error for a root field that is null because its object does not exist. The variable `path`, `id` or `name` tells
 * which object was requested.
 */
function absenceIn(data: object, variables: unknown): Fault | undefined {
  const field = Object.entries(data).find(([, value]) => value === null)?.[0];
  if (field === undefined) return undefined;
  const { id, path, name } = (variables ?? {}) as Readonly<Record<string, unknown>>;
  const named = { name: String(path ?? id ?? name ?? field) };
  return new Fault(worded(field === 'document' ? 'noDocument' : 'nothingThere', named), 'NOT_FOUND');
}

/** Headers of every request. `X-Requested-With` keeps the browser from showing its own password dialog after a 401. */
export const ownHeaders = (): Record<string, string> => ({
  'X-Requested-With': 'XMLHttpRequest',
  'Accept-Language': language(),
});

/** Sends an operation. If the session has ended, it is sent again once the user has signed in. @throws Fault */
export async function send<Data, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const response = await fetch('graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...ownHeaders() },
    body: JSON.stringify({ query: operation.text, variables }),
  });
  if (response.status === 401 && (await signedInAgain())) return send(operation, variables);
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

export const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 10_000, refetchOnWindowFocus: false } },
});

/** The cache key of an operation; without variables, it matches the operation with any variables. */
export const keyOf = <Data, Variables>({ text }: Operation<Data, Variables>, variables?: Variables) =>
  variables === undefined ? [text] : [text, variables];

/** Reads by an operation and caches the response. */
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

/** Reloads all data that is shown, since a write may have changed any of it. */
export const refresh = (): Promise<void> => queries.invalidateQueries();
