import { ask } from './ask.ts';
import type { Change } from './ledger.ts';

/** The next request that a connection sends, and the change that it makes. */
export interface Step {
  readonly change: Change;
  readonly send: (url: string) => Promise<Response>;
  /** Whether responses with status 400 and 404 are also correct, because the document may not have a file. */
  readonly mayBeAbsent?: boolean;
  /** Checks the text of a successful response. @returns a description of the fault, if there is one */
  readonly check?: (text: string) => string | undefined;
}

/** Returns a function that sends a request to the API of a server. */
export const request =
  (...[path, method, body, headers]: Parameters<typeof ask> extends [string, ...infer Rest] ? Rest : never) =>
  (url: string): Promise<Response> =>
    ask(url, path, method, body, headers);
