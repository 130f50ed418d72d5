import type { RequestHandler } from 'express';
import type { serveOpenApi } from './serve.ts';

/**
 * Loads the code that generates the API description when it is first requested, because most servers never get such a
 * request.
 */
export function openApiHandler(facade: Parameters<typeof serveOpenApi>[0]): RequestHandler {
  let handler: Promise<RequestHandler> | undefined;
  const load = async () => (await import('./serve.ts')).serveOpenApi(facade);
  return async (request, response, next) => {
    handler ??= load();
    return (await handler)(request, response, next);
  };
}
