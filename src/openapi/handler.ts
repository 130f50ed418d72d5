import type { RequestHandler } from 'express';
import type { serveOpenApi } from './serve.ts';

/** Loads the description of the REST interface at the first request: few servers ever get one. */
export function openApiHandler(facade: Parameters<typeof serveOpenApi>[0]): RequestHandler {
  let handler: Promise<RequestHandler> | undefined;
  const load = async () => (await import('./serve.ts')).serveOpenApi(facade);
  return async (request, response, next) => {
    handler ??= load();
    return (await handler)(request, response, next);
  };
}
