import type { RequestHandler } from 'express';
import type { Json } from './openapi/json-schema.ts';
import type { RestServices } from './serve.ts';

/**
 * The description of the interface, as the caller may know of it: what is there for administrators alone, nobody else
 * is told of. It is made at the first request for it, as few servers ever get one.
 */
export function serveDescription({ schema, contributed, askerOf, baseUrlOf }: RestServices): RequestHandler {
  const made = new Map<boolean, Json>();
  return async (request, response) => {
    const { isAdministrator } = askerOf(response).user;
    const { describe } = await import('./openapi/describe.ts');
    const description = made.get(isAdministrator) ?? describe({ schema, contributed }, { isAdministrator });
    made.set(isAdministrator, description);
    response.setHeader('Cache-Control', 'private, no-cache');
    response.json({ ...description, servers: [{ url: baseUrlOf(request) }] });
  };
}
