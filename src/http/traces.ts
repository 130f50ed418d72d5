import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api';
import type { Request, RequestHandler, Response } from 'express';
import type { Meter } from '../db/meter.ts';
import { withoutSecrets } from '../log.ts';
import { requestStateOf } from './request-state.ts';

/** Sends spans for requests and their SQL statements to an OpenTelemetry collector. */
export interface Traces {
  readonly observe: RequestHandler;
  /** Sends the remaining spans, but gives up after several seconds. */
  readonly close: () => Promise<void>;
}

/** The maximum number of statements per request for which a span is created. */
const maxStatementSpans = 200;

/** The maximum number of milliseconds to spend on sending the remaining spans when the process ends. */
const flushTimeout = 3_000;

type Statement = Parameters<NonNullable<Meter['onStatement']>>[0];

/** Returns the attributes of a request. The query string is omitted, because it can contain tokens. */
const requestAttributes = (request: Request): Attributes => ({
  'http.request.method': request.method,
  'url.path': withoutSecrets(request.path),
  'url.scheme': request.protocol,
});

/** Returns the attributes of a statement. Its text contains placeholders instead of parameter values. */
const statementAttributes = ({ name, text, rows }: Statement): Attributes => ({
  'db.system.name': 'postgresql',
  'db.query.text': text,
  ...(name && { 'db.query.summary': name }),
  ...(rows !== undefined && { 'db.response.returned_rows': rows }),
});

const epoch = (): number => performance.timeOrigin + performance.now();

/**
 * Creates the exporter of traces. Spans that the collector does not accept are dropped.
 * @param endpoint the address of the collector, such as `http://localhost:4318`
 */
export async function createTraces({
  endpoint,
  service,
}: {
  readonly endpoint: string;
  readonly service: string;
}): Promise<Traces> {
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }, { W3CTraceContextPropagator }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/core'),
    ]);
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const provider = new sdk.BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  });
  const propagator = new W3CTraceContextPropagator();
  const tracer: Tracer = provider.getTracer('quire');
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, defaultTextMapGetter, trace } = api;

  function traceStatements(meter: Meter, context: Context): void {
    let left = maxStatementSpans;
    meter.onStatement = (statement) => {
      if (left === 0) return;
      left -= 1;
      const end = epoch();
      const name = statement.name || (/^\W*(\w+)/.exec(statement.text)?.[1] ?? 'statement').toUpperCase();
      const startTime = end - statement.milliseconds;
      const attributes = statementAttributes(statement);
      tracer.startSpan(name, { kind: SpanKind.CLIENT, startTime, attributes }, context).end(end);
    };
  }

  function endSpan(span: Span, request: Request, response: Response): void {
    const route = request.route ? String(request.route.path) : undefined;
    if (route) span.updateName(`${request.method} ${route}`).setAttribute('http.route', route);
    span.setAttribute('http.response.status_code', response.statusCode);
    if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(epoch());
  }

  return {
    observe: (request, response, next) => {
      const sender = propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter);
      const options = { kind: SpanKind.SERVER, startTime: epoch(), attributes: requestAttributes(request) };
      const span = tracer.startSpan(request.method, options, sender);
      if (!span.isRecording()) return next();
      span.setAttribute('quire.request_id', String(response.getHeader('X-Request-Id')));
      traceStatements(requestStateOf(response).meter, trace.setSpan(ROOT_CONTEXT, span));
      response.once('close', () => endSpan(span, request, response));
      next();
    },
    close: async () => {
      const late = new Promise<void>((resolve) => setTimeout(resolve, flushTimeout).unref());
      await Promise.race([provider.shutdown().catch(() => {}), late]);
    },
  };
}
