import { Agent, request } from 'node:http';

export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: readonly Buffer[];
}

export interface Answer {
  /** The status; 0 if there was no response. */
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly length: number;
  /** The beginning of the response body. */
  readonly text: string;
}

export interface GraphqlError {
  readonly code: string;
}

/** The first error in a GraphQL response with status 200; undefined if there is none. */
export function graphqlErrorIn({ status, text }: Pick<Answer, 'status' | 'text'>): GraphqlError | undefined {
  const at = status === 200 ? text.indexOf('"errors":[{"message":') : -1;
  if (at < 0) return undefined;
  return { code: /"code":"(\w+)"/.exec(text.slice(at))?.[1] ?? '' };
}

const agent = new Agent({ keepAlive: true });

export const closeConnections = (): void => agent.destroy();

/** The maximum number of response bytes to store. */
const maxStoredBytes = 64_000;

/** Sends a request and reads the entire response. */
export function send({ method, url, headers, parts }: Sent, seconds: number): Promise<Answer> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return new Promise((resolve) => {
    const fail = (error: Error) => resolve({ status: 0, headers: {}, length: 0, text: error.message });
    const sent = request(
      url,
      { method, agent, headers: { ...headers, 'content-length': length } },
      (response) => {
        const beginning: Buffer[] = [];
        let received = 0;
        response.on('data', (chunk: Buffer) => {
          if (received < maxStoredBytes) beginning.push(chunk);
          received += chunk.length;
        });
        response.on('error', fail);
        response.on('end', () => {
          clearTimeout(timer);
          const text = Buffer.concat(beginning).toString();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, length: received, text });
        });
      },
    );
    const timer = setTimeout(
      () => sent.destroy(new Error(`no response within ${seconds} s`)),
      seconds * 1_000,
    );
    sent.on('error', (error) => {
      clearTimeout(timer);
      fail(error); // Errors are ignored if the response has arrived before the whole body was sent.
    });
    for (const part of parts) sent.write(part);
    sent.end();
  });
}
