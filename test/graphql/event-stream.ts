import { afterEach, beforeAll } from '@jest/globals';
import { administrator } from '../support/administrator.ts';
import type { TestServer } from '../support/server.ts';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export interface Answer<Data> {
  readonly data?: Data;
  readonly errors?: ReadonlyArray<{
    readonly message: string;
    readonly extensions: { readonly code: string };
  }>;
}

export interface EventStream<Data> {
  readonly status: number;
  readonly type: string | null;
  readonly retryAfter: string | null;
  /** Milliseconds since the epoch, as it was asked for. */
  readonly begun: number;
  /** The next answer; undefined after the last one. */
  next(): Promise<Answer<Data> | undefined>;
  /** Leaves, as a client does that is closed. */
  leave(): void;
}

/** Subscribes over HTTP, and resolves once the stream has begun. */
async function openEventStream<Data>(
  port: number,
  query: string,
  variables: object = {},
  { username, password }: Credentials = administrator,
): Promise<EventStream<Data>> {
  const leaving = new AbortController();
  const begun = Date.now();
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: 'POST',
    signal: leaving.signal,
    headers: {
      'Content-Type': 'application/json',
      Accept: 'text/event-stream',
      Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
    },
    body: JSON.stringify({ query, variables }),
  });
  const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    begun,
    status: response.status,
    type: response.headers.get('content-type'),
    retryAfter: response.headers.get('retry-after'),
    next: async () => {
      for (;;) {
        const found = /^data: (.*)\n\n/m.exec(text);
        if (found) {
          text = text.slice(found.index + found[0].length);
          return JSON.parse(found[1] ?? '') as Answer<Data>;
        }
        const { done, value } = await reader.read();
        if (done) return undefined;
        text += value;
      }
    },
    leave: () => leaving.abort(),
  };
}

/** What subscribes to a server; each stream is left after its test. */
export function useEventStreams(server: TestServer) {
  let port: number;
  const open = new Set<EventStream<unknown>>();
  beforeAll(async () => {
    port = await server.listen();
  });
  afterEach(() => {
    for (const stream of open) stream.leave();
    open.clear();
  });
  return async <Data>(
    query: string,
    variables: object = {},
    as?: Credentials,
  ): Promise<EventStream<Data>> => {
    const stream = await openEventStream<Data>(port, query, variables, as);
    open.add(stream);
    return stream;
  };
}
