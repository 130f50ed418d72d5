import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly status: { readonly code?: number };
  readonly attributes: ReadonlyArray<{ key: string; value: Record<string, unknown> }>;
}

interface Sent {
  readonly resourceSpans: ReadonlyArray<{
    readonly resource: Pick<Span, 'attributes'>;
    readonly scopeSpans: ReadonlyArray<{ readonly spans: readonly Span[] }>;
  }>;
}

/** Of the trace context of a caller. */
const [trace, parent] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];

const sent: Sent[] = [];
let isRefusing = false;
let refused = 0;
const collector = createServer((request, response) => {
  void json(request).then((body) => {
    if (isRefusing) refused += 1;
    else sent.push(body as Sent);
    response.writeHead(isRefusing ? 400 : 200, { 'Content-Type': 'application/json' }).end('{}');
  });
});
let server: TestServer;

beforeAll(async () => {
  await once(collector.listen(0, '127.0.0.1'), 'listening');
  process.env.OTEL_BSP_SCHEDULE_DELAY = '20';
  const { port } = collector.address() as AddressInfo;
  server = await startServer({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/` });
});
afterAll(async () => {
  delete process.env.OTEL_BSP_SCHEDULE_DELAY;
  await server[Symbol.asyncDispose]();
  collector.close();
});
beforeEach(() => {
  sent.length = 0;
  isRefusing = false;
});

const spans = (): Span[] =>
  sent.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );
const valuesOf = ({ attributes }: Pick<Span, 'attributes'>): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** The span of the request to a path, with those below it, once both have come. */
async function traceOf(path: string): Promise<{ request: Span; statements: Span[] }> {
  const find = () => spans().find((span) => valuesOf(span)['url.path'] === path);
  await until(() => find() !== undefined);
  const request = find() as Span;
  const below = () => spans().filter(({ parentSpanId }) => parentSpanId === request.spanId);
  return { request, statements: below() };
}

describe('OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  test('gets a span of each request, with those of its statements', async () => {
    const headers = { traceparent: `00-${trace}-${parent}-01`, 'X-Request-Id': 'traced' };
    const path = '/api/v1/path/default-domain';
    await server.request.get(`${path}?secret=hidden`).set(headers).expect(200);
    const { request, statements } = await traceOf(path);
    expect(request).toMatchObject({
      traceId: trace,
      parentSpanId: parent,
      name: 'GET /path{/*path}',
      kind: 2,
    });
    expect(valuesOf(request)).toEqual({
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'http.route': '/path{/*path}',
      'quire.request_id': 'traced',
      'url.path': path,
      'url.scheme': 'http',
    });
    const [statement] = statements.filter(({ name }) => name.startsWith('document-by-path'));
    expect(statement).toMatchObject({ traceId: trace, kind: 3 });
    expect(valuesOf(statement as Span)).toMatchObject({
      'db.system.name': 'postgresql',
      'db.response.returned_rows': 1,
      'db.query.text': expect.stringMatching(/^\s*SELECT[\s\S]*\$1/),
    });
    expect(valuesOf(sent[0]?.resourceSpans[0]?.resource as Span)['service.name']).toBe('quire');
    expect(JSON.stringify(sent)).not.toMatch(/hidden|default-domain'/);
  });

  test('gets none of a request whose sender is not traced, and none of health checks', async () => {
    await server.anonymous.get('/health/live').expect(200);
    await server.request.get('/api/v1/me').set('traceparent', `00-${trace}-${parent}-00`).expect(200);
    await server.request.get('/api/v1/path/no-such-document').expect(404);
    const { request } = await traceOf('/api/v1/path/no-such-document');
    expect(valuesOf(request)['http.response.status_code']).toBe(404);
    expect(request.status.code ?? 0).toBe(0);
    expect(
      spans()
        .map((span) => valuesOf(span)['url.path'])
        .filter(Boolean),
    ).toHaveLength(1);
  });

  test('gets no login token from an address', async () => {
    const token = '6f5902ac-0000-8000-8000-000000000000';
    await server.request.delete(`/api/v1/token/${token}`).expect(404);
    await server.request.get(`/api/v1/directory/authTokens/${token}`).expect(404);
    await traceOf('/api/v1/token/…');
    await traceOf('/api/v1/directory/authTokens/…');
    expect(JSON.stringify(sent)).not.toContain(token);
  });

  test('is not waited for when it refuses', async () => {
    isRefusing = true;
    await server.request.get('/api/v1/path/default-domain').expect(200);
    await until(() => refused > 0);
    isRefusing = false;
    await server.request.get('/api/v1/user/Administrator').expect(200);
    await traceOf('/api/v1/user/Administrator');
  });
});
