import { readFileSync } from 'node:fs';

/**
 * The response that a newly installed server sends to an example request. Ids and times are replaced with placeholders,
 * and long lists are truncated.
 */
export interface Answer {
  readonly status: number;
  /** The media type; absent if the response has no body. */
  readonly type?: string;
  /** The JSON or text of the body; absent for files. */
  readonly body?: unknown;
}

export interface Answers {
  /** The placeholder values for the names in the examples, such as an id for `{report}`. */
  readonly values: Readonly<Record<string, string>>;
  /** The responses by route name. */
  readonly answers: Readonly<Record<string, Answer>>;
}

/** The file that `npm run print:answers` writes. */
export const answersFile = new URL('../../../src/openapi/examples/answers.json', import.meta.url);

export const readAnswers = (): Answers => JSON.parse(readFileSync(answersFile, 'utf8'));
