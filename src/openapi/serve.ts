import type { RequestHandler } from 'express';
import { requesterOf } from '../http/identify.ts';
import type { Facade } from '../rest/facade.ts';
import { openApiDescription } from './description.ts';
import type { Json } from './json-schema.ts';

/**
 * Serves openapi.json in one version for administrators and one for all other users. Each version is generated when it
 * is first requested.
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
