import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { authorization } from '../support/administrator.ts';
import { use } from '../support/use.ts';
import { type Answer, exchange, parseAnswer } from './raw.ts';
import { fingerprint, patience, runs, seed, startFuzzed } from './running.ts';
import { useTally } from './tally.ts';
import { anything, text, unquoted } from './texts.ts';

jest.setTimeout(patience);

const server = use(startFuzzed);
const tally = useTally('requests to /graphql');

interface Envelope {
  readonly method: string;
  readonly target: string;
  readonly type: string;
  readonly accept: string;
  readonly body: string;
}

/** A request of an administrator, with the headers that a browser adds for another site. */
async function send({
  method,
  target,
  type,
  accept,
  body,
}: Envelope): Promise<{ head: string; answer: Answer }> {
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: h', 'Connection: close', `Content-Type: ${type}`];
  lines.push(
    `Accept: ${accept}`,
    `Authorization: ${authorization}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  );
  const head = `${lines.join('\r\n')}\r\n\r\n`;
  return { head, answer: parseAnswer(await exchange(server.port, Buffer.from(head + body))) };
}

/** Invalid requests: other JSON, content types, methods and URLs. */
const envelopes: fc.Arbitrary<Envelope> = fc.record({
  method: fc.constantFrom('POST', 'POST', 'POST', 'GET', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH'),
  target: fc.constantFrom(
    '/graphql',
    '/graphql/',
    '/graphql/x',
    '/graphql?',
    '/graphql?query=%7B__typename%7D',
    '/graphql?query=%ff',
    '/graphql?query=a&query=b',
    '/graphql?query=%7B__typename%7D&variables=%7B',
    '/graphql?variables=[]',
    '/graphql//',
  ),
  type: fc.constantFrom(
    'application/json',
    'application/json',
    'application/graphql',
    'application/x-www-form-urlencoded',
    'x',
    '',
    'multipart/form-data',
    'multipart/form-data; boundary=b',
    'text/plain',
    'application/json; charset=zz',
  ),
  accept: fc.constantFrom(
    'application/json',
    'application/graphql-response+json',
    'text/event-stream',
    'multipart/mixed',
    'text/html',
    'x',
    '*/*',
  ),
  body: fc.oneof(
    anything.map(unquoted),
    fc
      .record({ query: anything, variables: anything, operationName: anything, extensions: anything })
      .map(unquoted),
    fc
      .record(
        { query: fc.constant('{ __typename }'), variables: anything, extensions: anything },
        { requiredKeys: ['query'] },
      )
      .map(unquoted),
    fc.record({ query: text }).map(unquoted),
    fc.constantFrom(
      '',
      '{',
      'query=%7B__typename%7D',
      '--b\r\nContent-Disposition: form-data; name="operations"\r\n\r\n{}\r\n--b--',
      '['.repeat(50_000),
    ),
  ),
});

describe('/graphql with generated HTTP requests', () => {
  test(`${runs} requests, mostly invalid, are answered without an internal error or a write`, async () => {
    const before = await fingerprint(server);
    const property = fc.asyncProperty(envelopes, async (envelope) => {
      const { head, answer } = await send(envelope);
      tally(answer.status);
      const shown = answer.body.toString('utf8').slice(0, 2_000);
      const faults = server.faults();
      if (answer.status >= 500) faults.push(`status ${answer.status}`);
      if (!answer.headers.has('x-request-id')) faults.push('no X-Request-Id');
      if (/INTERNAL_SERVER_ERROR/.test(shown)) faults.push('a fault of the server');
      if ((await fingerprint(server)) !== before) faults.push('rows were written');
      const request = head + envelope.body.slice(0, 2_000);
      if (faults.length > 0)
        throw new Error(`${faults.join('\n')}\n\n${request}\n→ ${answer.status} ${shown}`);
    });
    await fc.assert(property, { numRuns: runs, ...(seed !== undefined && { seed }) });
  });
});

describe('/graphql refuses a body that a form of another site can send', () => {
  const mutation =
    'mutation { createDocument(parentPath: "/", document: {name: "forged", type: "Folder"}) { path } }';
  const part = `--b\r\nContent-Disposition: form-data; name="query"\r\n\r\n${mutation}\r\n--b--\r\n`;

  test.each([
    ['application/x-www-form-urlencoded', `query=${encodeURIComponent(mutation)}`],
    ['application/x-www-form-urlencoded; charset=utf-8', `query=${encodeURIComponent(mutation)}`],
    ['multipart/form-data; boundary=b', part],
    ['text/plain', JSON.stringify({ query: mutation })],
    ['', JSON.stringify({ query: mutation })],
  ])('with the type %s', async (type, body) => {
    const before = await fingerprint(server);
    const { answer } = await send({ method: 'POST', target: '/graphql', type, accept: '*/*', body });
    expect(answer.status).toBe(415);
    expect(answer.body.toString()).toContain('"code":"UNSUPPORTED_MEDIA"');
    expect(await fingerprint(server)).toBe(before);
  });

  test('broken JSON in the query of the URL answers 400', async () => {
    const target = '/graphql?query=%7B__typename%7D&variables=%7B';
    const { answer } = await send({ method: 'GET', target, type: '', accept: 'application/json', body: '' });
    expect(answer.status).toBe(400);
    expect(answer.body.toString()).toContain('"code":"INVALID"');
    expect(server.faults()).toEqual([]);
  });
});
