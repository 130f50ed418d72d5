import type supertest from 'supertest';
import type { TestServer } from './server.ts';

/** Requests of one user. */
export type Requests = TestServer['request'];

/** The body of an error. */
export const exception = (status: number, message: unknown): Record<string, unknown> => ({
  'entity-type': 'exception',
  status,
  message,
});

/** Asks GraphQL and returns the data. */
export async function askGraphql<Data>(
  request: Requests,
  query: string,
  variables: object = {},
): Promise<Data> {
  const { body } = await request.post('/graphql').send({ query, variables });
  if (body.errors) throw new Error(body.errors.map(({ message }: Error) => message).join('; '));
  return body.data as Data;
}

/** A file as a call brings it. */
export interface Upload {
  readonly content: string | Buffer;
  readonly name?: string;
  readonly type?: string;
}

/** What a call says and brings. */
export interface Call {
  readonly input?: unknown;
  readonly params?: Record<string, unknown>;
  readonly context?: unknown;
  /** Sent as parts of the body, behind the JSON. */
  readonly blobs?: readonly Upload[];
}

/** Sends a call to an address: as JSON, or as a form when it brings blobs. */
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
export const call = (request: Requests, operation: string, given: Call = {}): supertest.Test =>
  callAt(request, `/api/v1/automation/${operation}`, given);

/** Calls of operations on a server, by its administrator unless another user's requests are given. */
export const calling =
  (server: TestServer) =>
  (operation: string, input?: unknown, params: Record<string, unknown> = {}, request = server.request) =>
    call(request, operation, { input, params });

/** The answer as its bytes, whatever its type says. */
export const asBytes = (
  sent: supertest.Test,
  read: (bytes: Buffer) => unknown = (bytes) => bytes,
): supertest.Test =>
  sent.buffer(true).parse((response, done) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () => done(null, read(Buffer.concat(chunks))));
  });

/** The answer as text. */
export const asText = (sent: supertest.Test): supertest.Test =>
  asBytes(sent, (bytes) => bytes.toString('utf8'));
