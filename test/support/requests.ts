import type supertest from 'supertest';
import type { TestServer } from './server.ts';

/** Sends requests as one user. */
export type Requests = TestServer['request'];

/** Returns the body of an error response. */
export const exception = (status: number, message: unknown): Record<string, unknown> => ({
  'entity-type': 'exception',
  status,
  message,
});

/**
 * Sends a GraphQL operation and returns its data. @throws Error with the messages in the response, if there are any
 */
export async function askGraphql<Data>(
  request: Requests,
  query: string,
  variables: object = {},
): Promise<Data> {
  const { body } = await request.post('/graphql').send({ query, variables });
  if (body.errors) throw new Error(body.errors.map(({ message }: Error) => message).join('; '));
  return body.data as Data;
}

/** A file that is sent with a call. */
export interface Upload {
  readonly content: string | Buffer;
  readonly name?: string;
  readonly type?: string;
}

/** The contents of an operation call. */
export interface Call {
  readonly input?: unknown;
  readonly params?: Record<string, unknown>;
  readonly context?: unknown;
  /** The files, which are sent as parts of the body after the JSON. */
  readonly blobs?: readonly Upload[];
}

/** Sends a call to an address: as JSON, or as a multipart form if it contains files. */
export function callAt(
  request: Requests,
  address: string,
  { blobs, params = {}, ...more }: Call,
): supertest.Test {
  const sent = request.post(address);
  const json = { params, ...more };
  if (!blobs) return sent.send(json);
  const form = sent.field('params', JSON.stringify(json));
  return blobs.reduce(
    (body, { content, name, type }) =>
      body.attach('input', Buffer.from(content), {
        ...(name !== undefined && { filename: name }),
        ...(type !== undefined && { contentType: type }),
      }),
    form,
  );
}

/** Calls an operation. */
export const call = (request: Requests, operation: string, contents: Call = {}): supertest.Test =>
  callAt(request, `/api/v1/automation/${operation}`, contents);

/** Returns a function that calls a server's operations; by default as the administrator. */
export const calling =
  (server: TestServer) =>
  (operation: string, input?: unknown, params: Record<string, unknown> = {}, request = server.request) =>
    call(request, operation, { input, params });

/** Reads the body of a response as bytes, regardless of its media type. */
export const asBytes = (
  sent: supertest.Test,
  read: (bytes: Buffer) => unknown = (bytes) => bytes,
): supertest.Test =>
  sent.buffer(true).parse((response, done) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () => done(null, read(Buffer.concat(chunks))));
  });

/** Reads the body of a response as text. */
export const asText = (sent: supertest.Test): supertest.Test =>
  asBytes(sent, (bytes) => bytes.toString('utf8'));
