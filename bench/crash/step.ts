import { ask } from './ask.ts';
import type { Change } from './ledger.ts';

/** The next request of a connection, and the change that it makes. */
export interface Step {
  readonly change: Change;
  readonly send: (url: string) => Promise<Response>;
  /** Whether 400 and 404 are also correct answers, because the document may have no file. */
  readonly mayBeAbsent?: boolean;
  /** Checks the text of a successful response. @returns the fault, if any */
  readonly check?: (text: string) => string | undefined;
}

/** Makes a function that sends a request to the API of a server. */
export const request =
  (...[path, method, body, headers]: Parameters<typeof ask> extends [string, ...infer Rest] ? Rest : never) =>
  (url: string): Promise<Response> =>
    ask(url, path, method, body, headers);
