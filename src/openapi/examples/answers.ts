import { readFileSync } from 'node:fs';

/** What a new server answered to an example, with stand-ins for ids and times, and with long lists cut. */
export interface Answer {
  readonly status: number;
  /** The media type; absent without a body. */
  readonly type?: string;
  /** The JSON, or the text; absent for the bytes of files. */
  readonly body?: unknown;
}

export interface Answers {
  /** Stand-ins for what examples name, such as the id that `{report}` is. */
  readonly values: Readonly<Record<string, string>>;
  /** By the name of the route. */
  readonly answers: Readonly<Record<string, Answer>>;
}

/** Written by `npm run print:answers`. */
export const answersFile = new URL('../../../src/openapi/examples/answers.json', import.meta.url);

export const readAnswers = (): Answers => JSON.parse(readFileSync(answersFile, 'utf8'));
