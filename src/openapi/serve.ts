import type { RequestHandler } from 'express';
import { requesterOf } from '../http/identify.ts';
import type { Facade } from '../rest/facade.ts';
import { openApiDescription } from './description.ts';
import type { Json } from './json-schema.ts';

/**
 * Serves openapi.json, one version for administrators and one for all other users. Each is generated at its
 * first request.
 */
export function serveOpenApi({
  schema,
  contributed,
  baseUrlOf,
}: Pick<Facade, 'schema' | 'contributed' | 'baseUrlOf'>): RequestHandler {
  const descriptions = new Map<boolean, Json>();
  return (request, response) => {
    const { isAdministrator } = requesterOf(response).user;
    const description =
      descriptions.get(isAdministrator) ?? openApiDescription({ schema, contributed }, { isAdministrator });
    descriptions.set(isAdministrator, description);
    response.setHeader('Cache-Control', 'private, no-cache');
    response.json({ ...description, servers: [{ url: baseUrlOf(request) }] });
  };
}
