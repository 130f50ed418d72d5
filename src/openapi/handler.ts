import type { RequestHandler } from 'express';
import type { serveOpenApi } from './serve.ts';

/** Loads the code that describes the REST API at the first request, since most servers never get one. */
export function openApiHandler(facade: Parameters<typeof serveOpenApi>[0]): RequestHandler {
  let handler: Promise<RequestHandler> | undefined;
  const load = async () => (await import('./serve.ts')).serveOpenApi(facade);
  return async (request, response, next) => {
    handler ??= load();
    return (await handler)(request, response, next);
  };
}
