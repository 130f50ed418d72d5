import { ask } from './ask.ts';
import type { Change } from './ledger.ts';

/** What a connection asks next: the change that the request makes, and the request. */
export interface Step {
  readonly change: Change;
  readonly send: (url: string) => Promise<Response>;
  /** Whether 400 and 404 are good answers too: there is no file to make something of. */
  readonly mayBeAbsent?: boolean;
  /** What is wrong with the text of a good answer. */
  readonly check?: (text: string) => string | undefined;
}

/** How to send one request to the API. */
export const request =
  (...[path, method, body, headers]: Parameters<typeof ask> extends [string, ...infer Rest] ? Rest : never) =>
  (url: string): Promise<Response> =>
    ask(url, path, method, body, headers);
