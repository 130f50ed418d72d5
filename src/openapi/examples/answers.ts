import { readFileSync } from 'node:fs';

/**
 * The response of a new server to an example. Placeholders replace ids and times, and long lists are truncated.
 */
export interface Answer {
  readonly status: number;
  /** The media type; absent if the response has no body. */
  readonly type?: string;
  /** The JSON or text of the body; absent for files. */
  readonly body?: unknown;
}

export interface Answers {
  /** The placeholder value of each name in the examples, such as the id of `{report}`. */
  readonly values: Readonly<Record<string, string>>;
  /** Answers by the name of the route. */
  readonly answers: Readonly<Record<string, Answer>>;
}

/** The file that `npm run print:answers` writes. */
export const answersFile = new URL('../../../src/openapi/examples/answers.json', import.meta.url);

export const readAnswers = (): Answers => JSON.parse(readFileSync(answersFile, 'utf8'));
