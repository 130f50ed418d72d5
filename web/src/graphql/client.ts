import { QueryClient, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { language } from '../texts/language.ts';
import { text as worded } from '../texts/text.ts';
import type { Operation } from './operation.ts';
import { type ErrorSubject, refusalText } from './refusals.ts';

/** A constraint that a value breaks (§7). */
export interface Violation {
  readonly constraint: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly message: string;
  readonly path: ReadonlyArray<{ readonly field: string; readonly index?: number }>;
}

/** What the server refused; `code` is that of docs/errors.md. */
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

/** @returns whether there is a session of the same user again. */
type SignInAgain = () => Promise<boolean>;

const askers: SignInAgain[] = [];
let asking: Promise<boolean> | undefined;

/** Is called when the server takes no request any more for want of a session; the last one that was added is. */
export const onSignedOut = (ask: SignInAgain): (() => void) => {
  askers.push(ask);
  return () => {
    askers.splice(askers.indexOf(ask), 1);
  };
};

/** Asks once for all requests that wait for it. */
export function signedInAgain(): Promise<boolean> {
  asking ??= Promise.resolve(askers.at(-1)?.() ?? false).finally(() => {
    asking = undefined;
  });
  return asking;
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

/** Nothing where the text is no JSON: a proxy answers with pages of its own. */
function objectIn<T extends object>(text: string): Partial<T> {
  try {
    return (JSON.parse(text) as T | null) ?? {};
  } catch {
    return {};
  }
}

/** What was refused without GraphQL: its code is the status. */
export function refusal(
  { status, statusText }: Pick<Response, 'status' | 'statusText'>,
  text: string,
): Fault {
  const { message } = objectIn<{ message: string }>(text);
  return new Fault(message ?? (statusText || String(status)), String(status));
}

/** A field of the root that is null does not exist; the variable of its id, path or name says what was asked for. */
function absenceIn(data: object, variables: unknown): Fault | undefined {
  const field = Object.entries(data).find(([, value]) => value === null)?.[0];
  if (field === undefined) return undefined;
  const { id, path, name } = (variables ?? {}) as Readonly<Record<string, unknown>>;
  const named = { name: String(path ?? id ?? name ?? field) };
  return new Fault(worded(field === 'document' ? 'noDocument' : 'nothingThere', named), 'NOT_FOUND');
}

/** Headers of every request; the first keeps the browser from asking for a password itself. */
export const ownHeaders = (): Record<string, string> => ({
  'X-Requested-With': 'XMLHttpRequest',
  'Accept-Language': language(),
});

/** Sends an operation, and again where the session has ended and the user signs in anew. @throws Fault */
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

/** Every key begins with the text, so that `refresh` can name it. */
export const keyOf = <Data, Variables>({ text }: Operation<Data, Variables>, variables?: Variables) =>
  variables === undefined ? [text] : [text, variables];

/** Reads by an operation and keeps the answer. */
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

/** Reads again what is shown; a write may have changed any of it. */
export const refresh = (): Promise<void> => queries.invalidateQueries();
